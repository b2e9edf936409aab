import type { Hex } from "@assay/protocol";
import type { CodeAnalysis } from "../code/codeAnalysis.js";
import { BURN_ADDRESSES } from "../control/judgeOwnership.js";

export type KeySource = "owner" | "storage" | "constant" | "event" | "creation" | "role";

export interface Key {
  readonly address: Hex;
  readonly sources: KeySource[];
}

/** A place in storage that may hold an address. */
export interface KeyPlace {
  readonly slot: Hex;
  readonly offset: number;
}

/** Addresses below this are precompiles or numbers, and those with this many zeros at the end are no hashes. */
const SMALLEST_ADDRESS = 2n ** 96n;
const LARGEST_ADDRESS = 2n ** 160n - 2n;
const isLikelyAddress = (value: bigint): boolean =>
  value >= SMALLEST_ADDRESS && value <= LARGEST_ADDRESS && (value & 0xffff_ffffn) !== 0n;

const toAddress = (value: bigint): Hex => `0x${value.toString(16).padStart(40, "0")}`;

/** The address at a place of a word; null where there is none. */
export function readPlace(word: Hex, offset: number): Hex | null {
  const value = (BigInt(word) >> BigInt(offset * 8)) & (2n ** 160n - 1n);
  return value === 0n || BURN_ADDRESSES.includes(toAddress(value))
    ? toAddress(value)
    : isLikelyAddress(value)
      ? toAddress(value)
      : null;
}

/** The word with another address at that place. */
export function writePlace(word: Hex, offset: number, address: Hex): Hex {
  const shift = BigInt(offset * 8);
  const mask = (2n ** 160n - 1n) << shift;
  const value = (BigInt(word) & ~mask & (2n ** 256n - 1n)) | (BigInt(address) << shift);
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** The word with nothing at that place. */
export function clearPlace(word: Hex, offset: number, type: string): Hex {
  const bits = type === "bool" ? 8n : BigInt(/^uint(\d+)$/.exec(type)?.[1] ?? "256");
  const mask = (2n ** bits - 1n) << BigInt(offset * 8);
  return `0x${(BigInt(word) & ~mask & (2n ** 256n - 1n)).toString(16).padStart(64, "0")}`;
}

/** Where the program keeps addresses, as its analysis shows, and the first words in any case. */
export function listPlaces(analysis: CodeAnalysis | null, firstWords: number): KeyPlace[] {
  const known = (analysis?.storage ?? [])
    .filter(({ type }) => /^(?:address|bytes32|uint\d+|bool)$/.test(type))
    .map(({ slot, offset }) => ({ slot: padSlot(slot as Hex), offset }));
  const first = Array.from({ length: firstWords }, (_, index) => ({
    slot: padSlot(`0x${index.toString(16)}`),
    offset: 0,
  }));
  const all = [...known, ...first];
  return all.filter(
    ({ slot, offset }, index) =>
      all.findIndex((other) => other.slot === slot && other.offset === offset) === index,
  );
}

export const padSlot = (slot: Hex): Hex => `0x${slot.slice(2).padStart(64, "0")}`;

/** Joins what names an account. The order of the sources is the order in which they are trusted to name a key. */
export function joinKeys(
  named: readonly { readonly address: Hex; readonly source: KeySource }[],
  others: ReadonlySet<Hex>,
): Key[] {
  const keys = new Map<Hex, KeySource[]>();
  for (const { address, source } of named) {
    if (others.has(address) || BURN_ADDRESSES.includes(address)) continue;
    const sources = keys.get(address) ?? [];
    if (!sources.includes(source)) sources.push(source);
    keys.set(address, sources);
  }
  return [...keys].map(([address, sources]) => ({ address, sources }));
}
