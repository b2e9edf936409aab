import { absent, type Hex, mapReading, noAnswer, type Reading } from "@assay/protocol";
import { fingerprintBytecode } from "../code/fingerprintBytecode.js";
import { knownSlots } from "../proxies/knownSlots.js";
import { type ImplementationReadings, resolveImplementation } from "../proxies/resolveImplementation.js";
import { addressInWord, decodeAddress, isZeroWord } from "../words/addressInWord.js";

/** One question about the state at a block. The shape is the service's own; any JSON-RPC node can answer it. */
export type StateRead =
  | { readonly kind: "code"; readonly address: Hex }
  | { readonly kind: "storage"; readonly address: Hex; readonly slot: Hex }
  | {
      readonly kind: "call";
      readonly from?: Hex;
      readonly to: Hex;
      readonly data: Hex;
      readonly gas: number;
    };

/** The resolved implementation of an address at one block. */
export type ImplementationAtBlock =
  /** Null: there is none. */
  | { readonly status: "resolved"; readonly implementation: Hex | null }
  /** No node answered. A later attempt may get an answer. */
  | { readonly status: "unanswered"; readonly missing: string }
  /** The chain itself leaves it open: a beacon is set, and names no address. */
  | { readonly status: "undetermined"; readonly missing: string };

const slotNames = [
  "eip1967Implementation",
  "eip1967Beacon",
  "eip1822Implementation",
  "zeppelinosImplementation",
  "safeSingleton",
] as const;

const SELECTORS = {
  /** Safe proxies answer this themselves. */
  masterCopy: "0xa619486e",
  /** Of a beacon (ERC-1967). */
  implementation: "0x5c60da1b",
} as const;

/** Fixed, because a contract could answer differently to a recomputation that allows another amount of gas. */
const CALL_GAS = 3_000_000;

/** The first reads, all at one block. The answers are taken in this order. */
export const listImplementationReads = (address: Hex): StateRead[] => [
  { kind: "code", address },
  ...slotNames.map((name): StateRead => ({ kind: "storage", address, slot: knownSlots[name] })),
  { kind: "call", to: address, data: SELECTORS.masterCopy, gas: CALL_GAS },
];

/**
 * The second read at the same block, where the first answers make one necessary: the beacon, if one is set and decides. It
 * is asked in the name of the proxy, because a beacon may answer others with code that the proxy does not run.
 */
export function findBeaconRead(address: Hex, answers: readonly Reading<Hex>[]): StateRead | undefined {
  const beacon = slotIn(answers, "eip1967Beacon");
  if (isSet(slotIn(answers, "eip1967Implementation")) || !isSet(beacon)) return undefined;
  const to = addressInWord(beacon.value);
  return { kind: "call", from: address, to, data: SELECTORS.implementation, gas: CALL_GAS };
}

/**
 * Whether `masterCopy()`, the last of the first reads, can decide: no slot before it in the order names anything, and the first slot
 * of the storage names an address.
 */
export function needsMasterCopy(answers: readonly Reading<Hex>[]): boolean {
  const isZero = (word: Reading<Hex>) => word.status === "value" && isZeroWord(word.value);
  const before = slotNames.filter((name) => name !== "safeSingleton");
  return before.every((name) => isZero(slotIn(answers, name))) && isSet(slotIn(answers, "safeSingleton"));
}

const isSet = (word: Reading<Hex>): word is Extract<Reading<Hex>, { status: "value" }> =>
  word.status === "value" && !isZeroWord(word.value);

/**
 * Reads the answers to `listImplementationReads` and, where it was asked, the beacon's, as `resolveImplementation`
 * does.
 */
export function resolveAtBlock(
  answers: readonly Reading<Hex>[],
  beacon: Reading<Hex> | null,
): ImplementationAtBlock {
  return resolveNamed(nameAnswers(answers, beacon));
}

/** The same from answers that were recorded under their names; the beacon's answer is not decoded yet. */
export function resolveNamed(named: ImplementationReadings): ImplementationAtBlock {
  const beacon = named.beaconImplementation;
  const readings = { ...named, beaconImplementation: beacon && decodeAddress(beacon) };
  // An address without code runs nothing, even when its slots are set. Without the code, nothing is known.
  if (readings.code.status !== "value" && readings.code.status !== "absent")
    return { status: "unanswered", missing: "code" };
  const resolution = resolveImplementation(readings);
  if (resolution.status === "none") return { status: "resolved", implementation: null };
  if (resolution.status === "resolved") {
    const implementation = resolution.implementation.toLowerCase() as Hex;
    return { status: "resolved", implementation };
  }
  const { kind, missing } = resolution;
  const isAnsweredByChain = kind === "beacon" && beacon !== null && beacon.status !== "unanswered";
  return { status: isAnsweredByChain ? "undetermined" : "unanswered", missing };
}

const slotIn = (answers: readonly Reading<Hex>[], name: (typeof slotNames)[number]): Reading<Hex> =>
  answers[1 + slotNames.indexOf(name)] ?? noAnswer;

/** The answers to `listImplementationReads` under their names, with a fingerprint in place of the code. */
export function nameAnswers(
  answers: readonly Reading<Hex>[],
  beaconImplementation: Reading<Hex> | null,
): ImplementationReadings {
  const [code = noAnswer] = answers;
  return {
    code: code.status === "value" && code.value === "0x" ? absent : mapReading(code, fingerprintBytecode),
    slots: {
      eip1967Implementation: slotIn(answers, "eip1967Implementation"),
      eip1967Beacon: slotIn(answers, "eip1967Beacon"),
      eip1822Implementation: slotIn(answers, "eip1822Implementation"),
      zeppelinosImplementation: slotIn(answers, "zeppelinosImplementation"),
      safeSingleton: slotIn(answers, "safeSingleton"),
    },
    masterCopy: answers[1 + slotNames.length] ?? noAnswer,
    beaconImplementation,
  };
}
