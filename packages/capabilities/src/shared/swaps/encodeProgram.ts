import {
  type AbiFunction,
  type AbiParameter,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  maxUint256,
  numberToHex,
  parseAbi,
  parseAbiItem,
  parseAbiParameters,
  zeroAddress,
} from "viem";
import type { DecodedSwap, SwapProgram } from "./decodedSwap.js";
import { ROUTER_BALANCE, readV4Pools } from "./decodeProgram.js";
import { packPath } from "./packPath.js";

const abi = parseAbi(["function execute(bytes commands, bytes[] inputs)"]);
const permit2Abi = parseAbi([
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
]);
/** The router's marks for the sender and for itself. */
const SENDER: Hex = "0x0000000000000000000000000000000000000001";
const ROUTER: Hex = "0x0000000000000000000000000000000000000002";
const COMMANDS = { v3: 0x00, v2: 0x08, wrap: 0x0b, v4: 0x10 } as const;
const ACTIONS = { exactIn: 0x07, exactOut: 0x09, settleAll: 0x0c, take: 0x0e, takeAll: 0x0f } as const;
const MOST_160 = 2n ** 160n - 1n;
const MOST_128 = 2n ** 128n - 1n;

interface Order {
  readonly kind: DecodedSwap["kind"];
  readonly isBackwards: boolean;
  /** The exact amount. */
  readonly amount: bigint;
  /** Of an exact output, the most that may go in. */
  readonly most: bigint;
  /** Native value is wrapped, or paid to V4, first. */
  readonly isNativeIn: boolean;
}

/** The same pools once more, without limits and for the sender, by the same version of the router. */
export function encodeProgram(swap: DecodedSwap, program: SwapProgram, order: Order): Hex {
  const steps = program.venue === "v4" ? writeManager(program, order) : writePools(swap, program, order);
  return encodeFunctionData({
    abi,
    args: [
      concatHex(steps.map(({ command }) => numberToHex(command, { size: 1 }))),
      steps.map(({ input }) => input),
    ],
  });
}

/** The sender's call that lets a router take a token through Permit2. */
export const encodePermit2Approval = (
  token: Hex,
  router: Hex,
  amount: bigint,
  expiration = 2 ** 48 - 1,
): Hex =>
  encodeFunctionData({
    abi: permit2Abi,
    args: [token, router, amount > MOST_160 ? MOST_160 : amount, expiration],
  });

interface Written {
  readonly command: number;
  readonly input: Hex;
}

const inputsOf = (declaration: string): readonly AbiParameter[] =>
  (parseAbiItem(`function ${declaration}`) as AbiFunction).inputs;
const wrap = (recipient: Hex, amount: bigint): Written => ({
  command: COMMANDS.wrap,
  input: encodeAbiParameters(parseAbiParameters("address, uint256"), [recipient, amount]),
});

function writePools(swap: DecodedSwap, { step, venue }: SwapProgram, order: Order): Written[] {
  const isOut = order.kind === "exactOut";
  const tokens = [swap.tokenIn, ...swap.hops.map(({ tokenOut }) => tokenOut)];
  const fees = swap.hops.map(({ fee }) => fee ?? 0);
  const isReversed = order.isBackwards !== (isOut && venue === "v3");
  const path = isReversed ? [...tokens].reverse() : tokens;
  const packed = venue === "v2" ? path : packPath(path, isReversed ? [...fees].reverse() : fees);
  const limit = isOut ? order.most : 0n;
  const declared = inputsOf(step.meaning.declaration);
  const values = [SENDER, order.amount, limit, packed, !order.isNativeIn, []].slice(0, declared.length);
  const input = encodeAbiParameters(declared, values);
  const command = (venue === "v2" ? COMMANDS.v2 : COMMANDS.v3) + (isOut ? 1 : 0);
  return [...(order.isNativeIn ? [wrap(ROUTER, isOut ? order.most : order.amount)] : []), { command, input }];
}

function writeManager({ step }: SwapProgram, order: Order): Written[] {
  const forwards = readV4Pools(step);
  const pools = order.isBackwards
    ? forwards.map(({ given, taken, pool }) => ({ given: taken, taken: given, pool })).reverse()
    : forwards;
  const [given, taken] = [pools[0]?.given as Hex, pools.at(-1)?.taken as Hex];
  const isOut = order.kind === "exactOut";
  const isSingle = step.name.endsWith("_SINGLE");
  const wasOut = step.name.startsWith("SWAP_EXACT_OUT");
  // In the form of the original, because versions of the router differ. Both directions have their members in the same places.
  const own = step.args[0] as Readonly<Record<string, unknown>>;
  const side = isSingle
    ? { zeroForOne: own.zeroForOne !== order.isBackwards, minHopPriceX36: 0n }
    : {
        [wasOut ? "currencyOut" : "currencyIn"]: isOut ? taken : given,
        path: pools.map(({ given: from, taken: to, pool }) => ({
          intermediateCurrency: isOut ? from : to,
          ...pool,
        })),
        minHopPriceX36: [],
      };
  const most = order.most > MOST_128 ? MOST_128 : order.most;
  const params = {
    ...own,
    ...side,
    [wasOut ? "amountOut" : "amountIn"]: order.amount,
    [wasOut ? "amountInMaximum" : "amountOutMinimum"]: isOut ? most : 0n,
  };
  const swap = encodeAbiParameters(inputsOf(step.meaning.declaration), [params]);
  const settle = encodeAbiParameters(parseAbiParameters("address, uint256"), [given, maxUint256]);
  // Native value that comes back is wrapped, so that one balance shows it.
  const isUnwrapped = taken === zeroAddress && order.isBackwards;
  const take = isUnwrapped
    ? encodeAbiParameters(parseAbiParameters("address, address, uint256"), [taken, ROUTER, 0n])
    : encodeAbiParameters(parseAbiParameters("address, uint256"), [taken, 0n]);
  const actions = [
    (isOut ? ACTIONS.exactOut : ACTIONS.exactIn) - (isSingle ? 1 : 0),
    ACTIONS.settleAll,
    isUnwrapped ? ACTIONS.take : ACTIONS.takeAll,
  ];
  const input = encodeAbiParameters(parseAbiParameters("bytes, bytes[]"), [
    concatHex(actions.map((action) => numberToHex(action, { size: 1 }))),
    [swap, settle, take],
  ]);
  return [{ command: COMMANDS.v4, input }, ...(isUnwrapped ? [wrap(SENDER, ROUTER_BALANCE)] : [])];
}
