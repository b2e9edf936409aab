import type { FoundStore, TradeFunction } from "./exploreTrade.js";
import {
  AND,
  DIV,
  evaluate,
  hasSource,
  isPower,
  listLeaves,
  loadedPlace,
  OR,
  type Place,
} from "./expression.js";
import type { Guard } from "./findGuard.js";
import type { Value } from "./value.js";
import type { Way } from "./way.js";

type Words = ReadonlyMap<string, bigint>;

const SHR = 0x1c;
const ADDRESS = (1n << 160n) - 1n;

const WHOLE = (1n << 256n) - 1n;
export type Bits = ReadonlyMap<string, bigint>;

const readMask = ({ of }: Value): { readonly mask: bigint; readonly inner: Value } | null => {
  const [a, b] = of?.operands ?? [];
  if (of?.opcode !== AND || a === undefined || b === undefined) return null;
  if (a.word !== null) return { mask: a.word, inner: b };
  return b.word === null ? null : { mask: b.word, inner: a };
};

/** The bits of each word that a condition looks at: compilers keep several variables in one. */
function listLooks(condition: Value): Bits {
  const bits = new Map<string, bigint>();
  const seen = new Set<Value>();
  const waiting = [condition];
  const note = (load: Value, mask: bigint) => {
    const base = loadedPlace(load)?.base ?? ANYTHING;
    bits.set(base, (bits.get(base) ?? 0n) | mask);
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (loadedPlace(next) !== null) {
      note(next, WHOLE);
      continue;
    }
    const masked = readMask(next);
    const shift = masked && readShift(masked.inner);
    if (masked && shift) note(shift.load, (masked.mask << shift.by) & WHOLE);
    else waiting.push(...(next.of?.operands ?? []));
  }
  return bits;
}

/** A word of storage, or one that was shifted or divided to its right end. */
function readShift(value: Value): { readonly load: Value; readonly by: bigint } | null {
  if (loadedPlace(value) !== null) return { load: value, by: 0n };
  const [a, b] = value.of?.operands ?? [];
  if (a === undefined || b === undefined) return null;
  if (value.of?.opcode === SHR && a.word !== null && loadedPlace(b) !== null) return { load: b, by: a.word };
  if (value.of?.opcode !== DIV || !isPower(b.word) || loadedPlace(a) === null) return null;
  return { load: a, by: BigInt((b.word ?? 1n).toString(2).length - 1) };
}

/** The bits of a word that a store may change: those that are not put back as they were. */
function listWritten({ place, value }: FoundStore): bigint {
  const parts = value.of?.opcode === OR ? value.of.operands : [value];
  for (const one of parts) {
    const kept = readMask(one);
    if (kept && loadedPlace(kept.inner)?.base === place.base) return WHOLE & ~kept.mask;
  }
  return WHOLE;
}

/** Conditions on a way that have the other outcome now, whatever is called: for each, where it looks. */
function listContrary(way: Way | null, words: Words): Bits[] {
  const load = ({ base, keys }: Place) => (keys.length === 0 ? (words.get(base) ?? null) : null);
  const found: Bits[] = [];
  for (let step = way; step !== null; step = step.earlier) {
    const leaves = listLeaves(step.condition);
    if (leaves.some((leaf) => hasSource(leaf, "environment"))) continue;
    const outcome = evaluate(step.condition, { time: 0n, number: 0n, load });
    if (outcome === null || (outcome !== 0n) === step.outcome) continue;
    found.push(listLooks(step.condition));
  }
  return found;
}

/** Whether a way is closed for good: a condition has the other outcome, and nothing that it looks at changes any more. */
export const isOver = (way: Way | null, words: Words, changing: Bits): boolean =>
  listContrary(way, words).some((looks) => isSettled(looks, changing));

const isSettled = (looks: Bits, changing: Bits): boolean =>
  !changing.has(ANYTHING) && [...looks].every(([base, bits]) => ((changing.get(base) ?? 0n) & bits) === 0n);

/** Where fewer change, an address is not among them. */
const FEW_BITS = 96;
const countBits = (word: bigint): number => word.toString(2).replaceAll("0", "").length;

/** Whether an account is asked for that nobody has a key to. */
const isAbandoned = (guards: readonly Guard[], words: Words, changing: Bits): boolean =>
  guards.some((guard) => {
    const base = guard.startsWith("slot ") ? guard.slice(5) : null;
    if (base === null || countBits(changing.get(base) ?? 0n) >= FEW_BITS) return false;
    const word = words.get(base);
    // Compilers put a flag before or after an address.
    return word !== undefined && ((word & ADDRESS) === 0n || ((word >> 8n) & ADDRESS) === 0n);
  });

/** Stands for every place. */
export const ANYTHING = "?";

/**
 * Places that calls can still change, starting from what is stored now: a way is open unless a condition closes it that depends on
 * none of them. What a function did once, or a key given up would open, is not among them.
 */
export function listChanging(functions: readonly TradeFunction[], words: Words): Bits {
  const waiting = functions.flatMap(({ stores }) =>
    stores.map((store: FoundStore) => ({ store, contrary: listContrary(store.way, words) })),
  );
  const changing = new Map<string, bigint>();
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const { store, contrary } of waiting) {
      const { base } = store.place;
      const known = changing.get(base) ?? 0n;
      const next = known | listWritten(store);
      if (next === known || contrary.some((looks) => isSettled(looks, changing))) continue;
      if (isAbandoned(store.guards, words, changing)) continue;
      changing.set(base, next);
      isMore = true;
    }
  }
  return changing;
}
