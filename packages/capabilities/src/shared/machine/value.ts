import type { Hex } from "@assay/protocol";

/** Where a value on the stack came from. Constants of the code have no source. */
export type Source =
  | { readonly from: "caller" | "self" | "value" | "balance" | "unknown" }
  /** The length of the calldata. */
  | { readonly from: "size" }
  /** From this byte on, where it is known. */
  | { readonly from: "calldata"; readonly at?: bigint }
  | { readonly from: "environment"; readonly what?: "time" | "number" | "native" }
  /** Storage of the running contract; the slot is null where it is not known before the call is. */
  | { readonly from: "storage"; readonly slot: bigint | null; readonly key: Sources }
  /** What another contract answered. */
  | {
      readonly from: "call";
      readonly to: Value;
      readonly data: Hex | null;
      /** The function that was asked, where it is known. */
      readonly selector: number | null;
    };
export type Sources = readonly Source[];

/** A word: its value where it is known, and everything that went into it. */
export interface Value {
  readonly word: bigint | null;
  readonly sources: Sources;
  /** For conditions: what is compared. */
  readonly test?: Test;
  /**
   * A digest: nobody can name what it was made from, as with a hash of unknown data. Mixed: the caller's address with a constant
   * worked into it, so that what it is compared with does not name the caller. Worked: the same with an argument.
   */
  readonly disguise?: "digest" | "mixed" | "worked";
  /** The instruction that made it, and from what. */
  readonly of?: Expression;
}
export interface Expression {
  readonly opcode: number;
  readonly operands: readonly Value[];
}
/** Stands for a word of memory that several values were written into. */
export const CONCAT = -1;
export type Test =
  | { readonly kind: "first_word" | "selector" | "value" | "no_value" }
  | { readonly kind: "is_selector"; readonly selector: number };

export const NO_SOURCES: Sources = [];
export const MAX_SOURCES = 8;

export const constant = (word: bigint): Value => ({ word, sources: NO_SOURCES });
export const ZERO = constant(0n);
export const ONE = constant(1n);
export const sourced = (word: bigint | null, from: Exclude<Source["from"], "storage" | "call">): Value => ({
  word,
  sources: [{ from }],
});
export const UNKNOWN = sourced(null, "unknown");

/** Everything that went into some values. */
export function merge(...values: readonly Value[]): Sources {
  let merged = NO_SOURCES;
  for (const { sources } of values) {
    if (sources.length === 0 || sources === merged) continue;
    merged = merged.length === 0 ? sources : [...new Set([...merged, ...sources])].slice(0, MAX_SOURCES);
  }
  return merged;
}
