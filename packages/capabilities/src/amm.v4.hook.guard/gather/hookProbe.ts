import { createRequire } from "node:module";
import type { CallRead } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import {
  type Abi,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeFunctionData,
  numberToHex,
  parseAbiParameters,
} from "viem";
import { parseProbeAnswer } from "../../shared/simulation/gather/parseProbeAnswer.js";
import type { HookGuardInput } from "../input.js";
import { locateClaims } from "../poolKey.js";
import type { HookLeg, HookStay, HookTrip } from "../readings.js";

const { abi, deployedBytecode } = createRequire(import.meta.url)("@assay/contracts/out/HookProbe.json") as {
  readonly abi: Abi;
  readonly deployedBytecode: Hex;
};

/** Below the chain's cap for a transaction, which some nodes put on calls too. */
const CALL_GAS = 16_000_000;
/** What the probe expects to hold of the input currency as claims on the manager. */
const CLAIMS = numberToHex(2n ** 120n, { size: 32 });

/** One in ten thousand and one in a hundred of what the liquidity at the price would amount to. */
export const SHARES_BPS = [1, 100] as const;

type PoolInput = HookGuardInput;

export interface Caller {
  /** The account that sends the transaction. */
  readonly origin: Hex;
  /** The contract it calls, which calls the manager. */
  readonly sender: Hex;
  /** Added behind the probe's code, where it never runs: no hook can know the probe by the hash of its code. */
  readonly salt: Hex;
}

function callProbe(
  { origin, sender, salt }: Caller,
  input: PoolInput,
  functionName: string,
  args: readonly unknown[],
): CallRead {
  return {
    kind: "call",
    from: origin,
    to: sender,
    data: encodeFunctionData({ abi, functionName, args: [input.poolManager, encodeKey(input), ...args] }),
    gas: CALL_GAS,
    overrides: { [sender]: { code: `${deployedBytecode}${salt.slice(2)}` } },
  };
}

const encodeKey = ({ currency0, currency1, fee, tickSpacing, hooks }: PoolInput) => ({
  currency0,
  currency1,
  fee,
  tickSpacing,
  hooks,
});

/**
 * Swaps there and back, once for each share of the pool and each time from the same state. What a settled trip begins with
 * the manager gives for claims, of which the sender gets enough here: no token's own storage need be known.
 */
export function readTrips(
  caller: Caller,
  input: PoolInput,
  { zeroForOne, isSettled }: { readonly zeroForOne: boolean; readonly isSettled: boolean },
): CallRead {
  const call = callProbe(caller, input, "trade", [zeroForOne, SHARES_BPS, isSettled]);
  if (!isSettled) return call;
  const slot = locateClaims(caller.sender, zeroForOne ? input.currency0 : input.currency1);
  return {
    ...call,
    overrides: { [input.poolManager]: { stateDiff: { [slot]: CLAIMS } }, ...call.overrides },
  };
}

/** Adds liquidity and takes it out again. */
export const readStay = (caller: Caller, input: PoolInput): CallRead =>
  callProbe(caller, input, "provide", []);

const structs = [
  "struct Leg { bool success; int256 amountIn; int256 amountOut; uint256 sent; uint256 received; uint256 lpFee; bytes refusal; }",
  "struct Trip { uint256 amount; bool isFunded; Leg there; Leg back; }",
  "struct Stay { bool isAdded; bool isRemoved; int256[2] put; int256[2] returned; bytes refusal; }",
] as const;
const tripParameters = parseAbiParameters(["Trip trip", ...structs]);
const stayParameters = parseAbiParameters(["Stay stay", ...structs]);

export function parseTrips(answer: Reading<Hex>): Reading<HookTrip[]> {
  return parseProbeAnswer(answer, (data) => {
    const trips = decodeFunctionResult({ abi, functionName: "trade", data }) as readonly Hex[];
    return SHARES_BPS.map((shareBps, index) => ({ shareBps, outcome: decodeTrip(trips[index] ?? "0x") }));
  });
}

function decodeTrip(encoded: Hex): HookTrip["outcome"] {
  if (encoded === "0x") return null;
  const [{ amount, isFunded, there, back }] = decodeAbiParameters(tripParameters, encoded);
  return {
    amount: amount.toString(),
    isFunded,
    there: toLeg(there),
    back: there.received > 0n ? toLeg(back) : null,
  };
}

interface RawLeg {
  readonly success: boolean;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly sent: bigint;
  readonly received: bigint;
  readonly lpFee: bigint;
  readonly refusal: Hex;
}

const toLeg = ({ success, amountIn, amountOut, sent, received, lpFee, refusal }: RawLeg): HookLeg => ({
  success,
  amountIn: amountIn.toString(),
  amountOut: amountOut.toString(),
  sent: sent.toString(),
  received: received.toString(),
  lpFee: lpFee.toString(),
  refusal,
});

export function parseStay(answer: Reading<Hex>): Reading<HookStay> {
  return parseProbeAnswer(answer, (data) => {
    const encoded = decodeFunctionResult({ abi, functionName: "provide", data }) as Hex;
    const [{ isAdded, isRemoved, put, returned, refusal }] = decodeAbiParameters(stayParameters, encoded);
    return { isAdded, isRemoved, put: put.map(String), returned: returned.map(String), refusal };
  });
}
