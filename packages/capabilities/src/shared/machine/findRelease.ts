import type { FoundStore, TradeFunction } from "./exploreTrade.js";
import {
  describe,
  evaluate,
  GT,
  isPlainly,
  LT,
  listLeaves,
  loadedPlace,
  normalize,
  type Place,
  strip,
} from "./expression.js";
import type { Words } from "./listSettings.js";
import type { Now } from "./rangeCheck.js";
import { hasTime, type Way } from "./way.js";

/** Seconds. */
const [DAY, YEAR] = [86_400, 31_536_000];
const CENTURY = 100 * YEAR;

/** The time before which no path of a program calls another contract; null where one does now, or it is not certain. */
export function findRelease(functions: readonly TradeFunction[], words: Words, now: Now): number | null {
  if (functions.some(({ isComplete }) => !isComplete)) return null;
  const written = new Set(
    functions.flatMap(({ stores }) =>
      stores.filter((store) => !isProlonged(store)).map(({ place }) => place.base),
    ),
  );
  const ways = functions.flatMap(({ calls }) =>
    calls.filter(({ kind, to }) => kind !== "staticcall" && !isPrecompile(to.word)).map(({ way }) => way),
  );
  const opens = ways.map((way) => findOpening(way, written, words, now));
  if (opens.some((wait) => wait === 0)) return null;
  return Number(now.time) + opens.reduce((least, wait) => Math.min(least, wait), CENTURY);
}

/** Whether an argument is stored that must be more than what was there: a lock may be made longer. */
function isProlonged({ place, value, way }: FoundStore): boolean {
  if (place.keys.length > 0 || !isPlainly(value, "calldata")) return false;
  for (let step = way; step !== null; step = step.earlier) {
    const [condition, isTrue] = normalize(step.condition, step.outcome);
    const { opcode, operands } = condition.of ?? { opcode: -2, operands: [] };
    const [a, b] = operands;
    if (a === undefined || b === undefined || !isTrue || (opcode !== GT && opcode !== LT)) continue;
    const [more, less] = opcode === GT ? [a, b] : [b, a];
    if (describe(more) === describe(value) && loadedPlace(strip(less))?.base === place.base) return true;
  }
  return false;
}

const isPrecompile = (address: bigint | null): boolean => address !== null && address <= 0xffffn;

/** How many blocks may come in so many seconds: Base makes one in a fifth of a second, and made one in two. */
const countBlocks = (seconds: bigint): bigint[] => [seconds / 2n, seconds * 5n];

/** Seconds for which a condition on the time alone, which nobody can change, keeps a way closed. */
function findOpening(way: Way | null, written: ReadonlySet<string>, words: Words, now: Now): number {
  let longest = 0;
  for (let step = way; step !== null; step = step.earlier) {
    const { condition, outcome } = step;
    if (!hasTime(condition)) continue;
    const places = listLeaves(condition).flatMap((leaf) => loadedPlace(leaf) ?? []);
    if (places.some(({ base, keys }) => keys.length > 0 || written.has(base) || written.has("?"))) continue;
    const load = ({ base }: Place) => words.get(base) ?? null;
    const isClosed = (wait: number) =>
      countBlocks(BigInt(wait)).every((blocks) => {
        const found = evaluate(condition, {
          time: now.time + BigInt(wait),
          number: now.number + blocks,
          load,
        });
        return found !== null && (found !== 0n) !== outcome;
      });
    let wait = 0;
    while (wait < CENTURY && isClosed(wait)) wait += wait < 2 * YEAR ? DAY : YEAR;
    longest = Math.max(longest, wait);
  }
  return longest;
}
