import type { FoundStore, TradeFunction, Way } from "./exploreTrade.js";
import { evaluate, hasSource, listLeaves, loadedPlace, type Place } from "./expression.js";
import type { Guard } from "./findGuard.js";

type Words = ReadonlyMap<string, bigint>;

const ADDRESS = (1n << 160n) - 1n;

/** Conditions on a way that have the other outcome now, whatever is called: for each, where it looks. */
function listContrary(way: Way | null, words: Words): string[][] {
  const load = ({ base, keys }: Place) => (keys.length === 0 ? (words.get(base) ?? null) : null);
  const found: string[][] = [];
  for (let step = way; step !== null; step = step.earlier) {
    const leaves = listLeaves(step.condition);
    if (leaves.some((leaf) => hasSource(leaf, "environment"))) continue;
    const outcome = evaluate(step.condition, { time: 0n, number: 0n, load });
    if (outcome === null || (outcome !== 0n) === step.outcome) continue;
    found.push(leaves.flatMap((leaf) => loadedPlace(leaf)?.base ?? []));
  }
  return found;
}

/** Whether a way is closed for good: a condition has the other outcome, and nothing that it looks at changes any more. */
export const isOver = (way: Way | null, words: Words, changing: ReadonlySet<string>): boolean =>
  !changing.has(ANYTHING) &&
  listContrary(way, words).some((bases) => bases.every((base) => !changing.has(base)));

/** Whether an account is asked for that nobody has a key to. */
const isAbandoned = (guards: readonly Guard[], words: Words, changing: ReadonlySet<string>): boolean =>
  guards.some((guard) => {
    const base = guard.startsWith("slot ") ? guard.slice(5) : null;
    const word = base === null || changing.has(base) ? undefined : words.get(base);
    // Compilers put a flag before or after an address.
    return word !== undefined && (word & ADDRESS) === 0n && ((word >> 8n) & ADDRESS) === 0n;
  });

/** Stands for every place. */
export const ANYTHING = "?";

/**
 * Places that calls can still change, starting from what is stored now: a way is open unless a condition closes it that depends on
 * none of them. What a function did once, or a key given up would open, is not among them.
 */
export function listChanging(functions: readonly TradeFunction[], words: Words): ReadonlySet<string> {
  const waiting = functions.flatMap(({ stores }) =>
    stores.map((store: FoundStore) => ({ store, contrary: listContrary(store.way, words) })),
  );
  const changing = new Set<string>();
  for (let size = -1; size !== changing.size; ) {
    size = changing.size;
    for (const { store, contrary } of waiting) {
      if (changing.has(store.place.base)) continue;
      const isClosed = contrary.some((bases) => bases.every((base) => !changing.has(base)));
      if (!isClosed && !isAbandoned(store.guards, words, changing)) changing.add(store.place.base);
    }
  }
  return changing;
}
