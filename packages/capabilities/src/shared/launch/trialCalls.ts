import type { Hex } from "@assay/protocol";
import { encodeAbiParameters, parseAbiParameters, toFunctionSelector } from "viem";

/** What a trial's arguments are made of. */
export interface TrialTargets {
  readonly trader: Hex;
  readonly pool: Hex;
  readonly caller: Hex;
  /** Another token: what is tried with it are rescues of what was sent by mistake. */
  readonly quote: Hex;
  readonly supply: bigint;
  /** About what the trader holds. */
  readonly held: bigint;
  /** Numbers that the program compares something with. */
  readonly numbers: readonly bigint[];
  readonly nowSeconds: bigint;
}

/** One set of choices for every parameter of a function. */
interface Choice {
  readonly addresses: readonly Hex[];
  readonly number: bigint;
  readonly flag: boolean;
}

/** Percent, per mille and basis points are all in use, and many tokens cap what they accept: the first accepted decides. */
const RATES = [100n, 99n, 95n, 90n, 75n, 50n, 49n, 30n, 25n, 20n, 15n, 10n, 9n, 8n, 5n, 4n, 3n, 2n];
const FINE_RATES = [
  10_000n,
  9_900n,
  9_000n,
  5_000n,
  2_500n,
  2_000n,
  1_000n,
  999n,
  990n,
  900n,
  500n,
  300n,
  200n,
];
const LONG = 10n ** 9n;
const HUGE = 2n ** 255n;

/** Arguments that could harm a holder most. Each list is one trial: its calls are made until one is accepted. */
export function encodeTrials(selector: Hex, parameters: string, targets: TrialTargets): Hex[][] {
  const { trader, pool, caller, quote, supply, held, nowSeconds } = targets;
  const types = splitTypes(parameters);
  const encode = (choice: Choice): Hex | null => encodeCall(selector, types, choice);
  const choose = (addresses: readonly Hex[], number: bigint, flag = true): Choice => ({
    addresses,
    number,
    flag,
  });
  if (types.length === 0) return [[selector]];
  const hasNumber = types.some((type) => /^u?int/.test(type) || /^bytes\d+/.test(type));
  const hasAddress = types.some((type) => type.startsWith("address"));
  const hasFlag = types.some((type) => type.startsWith("bool"));
  const lists: (readonly Choice[])[] = [
    ...(hasAddress
      ? [
          [choose([trader, caller], held), choose([trader, caller], 1n)],
          [
            choose([caller, trader], supply * 10n),
            choose([caller, trader], supply),
            choose([caller, trader], supply / 100n),
          ],
          [choose([pool, caller], 1n), choose([pool, caller], held)],
          [choose([quote, caller], 0n)],
          ...(hasFlag || !hasNumber
            ? [[choose([trader, caller], 1n, false)], [choose([pool, caller], 0n, false)]]
            : []),
          ...(hasNumber
            ? [[choose([trader, caller], 0n)], RATES.map((rate) => choose([trader, caller], rate))]
            : []),
        ]
      : []),
    ...(hasNumber && !hasAddress
      ? [
          FINE_RATES.map((rate) => choose([], rate)),
          RATES.map((rate) => choose([], rate)),
          [choose([], supply * 10n), choose([], supply), choose([], held * 900n)],
          [choose([], 0n)],
          [choose([], 1n)],
          [
            choose([], LONG),
            choose([], 31_536_000n),
            choose([], 86_400n),
            choose([], 3_600n),
            choose([], 300n),
          ],
          [choose([], nowSeconds + LONG)],
          [choose([], HUGE)],
          [choose([], supply / 10_000n), choose([], supply / 1_000n)],
          ...(hasFlag ? [[choose([], 0n, false)], [choose([], LONG, false)]] : []),
        ]
      : []),
    ...(hasFlag && !hasNumber && !hasAddress ? [[choose([], 0n, false)], [choose([], 0n, true)]] : []),
    // Settings that are numbered.
    ...(types.some((type) => /^uint(8|16)$/.test(type)) && hasAddress
      ? [2n, 3n].flatMap((number) => [[choose([trader, caller], number)], [choose([pool, caller], number)]])
      : []),
    ...(!hasNumber && !hasAddress && !hasFlag ? [[choose([trader], 1n)]] : []),
  ];
  return lists
    .map((list) => [...new Set(list.flatMap((choice) => encode(choice) ?? []))])
    .filter((calls) => calls.length > 0);
}

/** The same with each number that the program compares something with, one trial for each. */
export function encodeNumberTrials(selector: Hex, parameters: string, targets: TrialTargets): Hex[][] {
  const { trader, pool, caller, numbers } = targets;
  const types = splitTypes(parameters);
  if (!types.some((type) => /^u?int/.test(type) || /^bytes\d+/.test(type))) return [];
  const orders = types.some((type) => type.startsWith("address"))
    ? [
        [trader, caller],
        [pool, caller],
        [caller, trader],
      ]
    : [[]];
  return numbers.flatMap((number) =>
    orders.flatMap((addresses) => {
      const call = encodeCall(selector, types, { addresses, number, flag: true });
      return call === null ? [] : [[call]];
    }),
  );
}

/** At the top level only: a tuple is one type. */
export function splitTypes(parameters: string): string[] {
  const types: string[] = [];
  let depth = 0;
  let current = "";
  for (const character of parameters) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) {
      types.push(current);
      current = "";
    } else current += character;
  }
  return current === "" ? types : [...types, current];
}

function encodeCall(selector: Hex, types: readonly string[], choice: Choice): Hex | null {
  try {
    let nextAddress = 0;
    const makeValue = (type: string): unknown => {
      const array = /^(.*)\[(\d*)\]$/.exec(type);
      if (array) {
        const [, inner = "", length] = array;
        return Array.from({ length: length ? Number(length) : 1 }, () => makeValue(inner));
      }
      if (type.startsWith("(")) return splitTypes(type.slice(1, -1)).map(makeValue);
      if (type === "address") {
        const address = choice.addresses[nextAddress % Math.max(1, choice.addresses.length)];
        nextAddress += 1;
        return address ?? `0x${"00".repeat(20)}`;
      }
      if (type === "bool") return choice.flag;
      const integer = /^(u?)int(\d*)$/.exec(type);
      if (integer) {
        const bits = BigInt(integer[2] || "256") - (integer[1] ? 0n : 1n);
        const most = 2n ** bits - 1n;
        return choice.number > most ? most : choice.number;
      }
      const fixed = /^bytes(\d+)$/.exec(type);
      if (fixed) {
        const size = Number(fixed[1]) * 2;
        return `0x${choice.number.toString(16).padStart(size, "0").slice(-size)}`;
      }
      if (type === "bytes") return "0x";
      return "";
    };
    const values = types.map(makeValue);
    const data = encodeAbiParameters(parseAbiParameters(types.join(",")), values as never);
    return `${selector}${data.slice(2)}`;
  } catch {
    return null;
  }
}

const select = (signatures: readonly string[]): ReadonlySet<string> =>
  new Set(signatures.map((signature) => toFunctionSelector(signature)));

/** What every ERC-20 has. */
export const standardFunctions = select([
  "name()",
  "symbol()",
  "decimals()",
  "totalSupply()",
  "balanceOf(address)",
  "allowance(address,address)",
  "approve(address,uint256)",
  "transfer(address,uint256)",
  "transferFrom(address,address,uint256)",
]);

/** The functions by which an owner hands over to a successor who accepts. */
export const successionFunctions = select([
  "pendingOwner()",
  "transferOwnership(address)",
  "acceptOwnership()",
  "renounceOwnership()",
]);

/** The functions that a trade runs. */
export const tradeFunctions = select([
  "balanceOf(address)",
  "allowance(address,address)",
  "approve(address,uint256)",
  "transfer(address,uint256)",
  "transferFrom(address,address,uint256)",
]);

/**
 * Functions that refuse strangers and owners alike, because they ask for a signature, an allowance, a balance or a turn.
 * That nobody may call them now shows no hidden key.
 */
export const refusingFunctions = select([
  "transferFrom(address,address,uint256)",
  "transfer(address,uint256)",
  "increaseAllowance(address,uint256)",
  "decreaseAllowance(address,uint256)",
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
  "permit(address,address,uint256,uint256,bytes)",
  "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
  "burn(uint256)",
  "burnFrom(address,uint256)",
  "renounceOwnership()",
  "transferOwnership(address)",
  "acceptOwnership()",
  "requestOwnershipHandover()",
  "cancelOwnershipHandover()",
  "completeOwnershipHandover(address)",
  "renounceRole(bytes32,address)",
  "grantRole(bytes32,address)",
  "revokeRole(bytes32,address)",
  "delegateBySig(address,uint256,uint256,uint8,bytes32,bytes32)",
  "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
  "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
  "cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)",
  "flashLoan(address,address,uint256,bytes)",
  "transferAndCall(address,uint256)",
  "transferAndCall(address,uint256,bytes)",
  "transferFromAndCall(address,address,uint256)",
  "transferFromAndCall(address,address,uint256,bytes)",
  "approveAndCall(address,uint256)",
  "approveAndCall(address,uint256,bytes)",
  "withdraw(uint256)",
  "redeem(uint256,address,address)",
  "withdraw(uint256,address,address)",
  "deposit(uint256,address)",
  "mint(uint256,address)",
]);

/** A selector that no function has: only a fallback accepts it. */
export const NO_FUNCTION: Hex = "0x9e1f0c3d";
/** Stands for a call without data, which only sends native currency. */
export const PAYMENT: Hex = "0x00000000";
