import type { TradeFunction } from "./exploreTrade.js";
import { describeBase, evaluate, listLeaves, loadedPlace, type Moment, type Place } from "./expression.js";
import type { Words } from "./listSettings.js";
import { type History, isRangeCheck, type Now } from "./rangeCheck.js";
import type { Value } from "./value.js";
import { hasTime, type Way } from "./way.js";

const [APPROVE, BALANCE_OF] = [0x095ea7b3, 0x70a08231];
const [HOUR, DAY] = [3_600, 86_400];
/** Seconds. Fees of a young token may follow the clock for so long. */
const YOUNG = DAY;
const YEARS = 20 * 365 * DAY;
/** A block of Base takes two seconds. */
const BLOCK_SECONDS = 2n;

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
/** Closer together than a market forgets. */
const WAITS: readonly number[] = [
  ...range(0, 3 * DAY, HOUR),
  ...range(3 * DAY, 30 * DAY, 6 * HOUR),
  ...range(30 * DAY, 400 * DAY, DAY),
  ...range(400 * DAY, YEARS, 14 * DAY),
];

/** At no round distance, so that what comes and goes by the clock is met at different times of its turn. */
const ODD_WAITS: readonly number[] = [
  ...range(0, 64, 1),
  ...range(64, 3 * HOUR, 47),
  ...range(3 * HOUR, 3 * DAY, 1_013),
  ...range(3 * DAY, 40 * DAY, 16_411),
];
/** Longer turns are met by the samples. */
const LONGEST_TURN = BigInt(DAY);

interface Changes {
  /** From the block on. */
  readonly seconds: number[];
  readonly countsBlocks: boolean;
  /** Where more than the time decides. */
  readonly unclear: { readonly selector: number; readonly place: string }[];
}

/** When conditions on the time have another outcome than before. */
export function findChanges(
  trade: readonly TradeFunction[],
  history: History,
  words: Words,
  now: Now,
): Changes {
  const seconds = new Set<number>();
  const unclear: Changes["unclear"] = [];
  let blockChanges = 0;
  const seen = new Set<Value>();
  for (const { selector, conditions, stores, returned } of trade) {
    for (const { condition, decides, way } of conditions) {
      if (seen.has(condition) || !hasTime(condition) || isRangeCheck(condition)) continue;
      const found = listChanges(condition, history, words, now);
      // Whether a fee that ends within the day is more than nothing.
      if (found === null && !decides && !lasts(way, history, words, now)) continue;
      seen.add(condition);
      if (found === null) {
        unclear.push({ selector, place: namePlace(condition) });
        continue;
      }
      if (selector === APPROVE || selector === BALANCE_OF) {
        if (found.length > 0) unclear.push({ selector, place: "" });
        continue;
      }
      if (readsBlocks(condition)) blockChanges = Math.max(blockChanges, found.length);
      else for (const wait of found) seconds.add(wait);
    }
    for (const { value, way, place } of stores)
      if (hasTime(value) && !history.get(describeBase(place))?.isPause && lasts(way, history, words, now))
        unclear.push({ selector, place: describeBase(place) });
    if (selector === BALANCE_OF && returned.some(hasTime)) unclear.push({ selector, place: "" });
  }
  return { seconds: [...seconds].sort((a, b) => a - b), countsBlocks: blockChanges > 1, unclear };
}

/** The mapping that a condition on the time reads besides. */
function namePlace(condition: Value): string {
  const place = listLeaves(condition).flatMap((leaf) => loadedPlace(leaf) ?? [])[0];
  return place === undefined ? "" : describeBase(place);
}

const readsBlocks = (value: Value): boolean =>
  listLeaves(value).some(({ sources }) =>
    sources.some((source) => source.from === "environment" && source.what === "number"),
  );

const momentAfter = (wait: number, history: History, words: Words, now: Now, isBlock: boolean): Moment => ({
  time: now.time + BigInt(wait),
  number: now.number + BigInt(wait) / BLOCK_SECONDS,
  load: (place: Place) => {
    if (place.keys.length === 0) return words.get(place.base) ?? null;
    // What a purchase noted, which is made now.
    return history.get(describeBase(place))?.isPause ? (isBlock ? now.number : now.time) : null;
  },
});

/** Seconds after which the outcome changes; null where more than the time decides. */
function listChanges(condition: Value, history: History, words: Words, now: Now): number[] | null {
  const isBlock = readsBlocks(condition);
  const at = (wait: number) => evaluate(condition, momentAfter(wait, history, words, now, isBlock));
  const first = at(0);
  if (first === null) return null;
  const changes: number[] = [];
  let last = first !== 0n;
  for (const wait of listWaits(condition, words, now, isBlock)) {
    const outcome = at(wait);
    if (outcome === null) return null;
    if ((outcome !== 0n) !== last) changes.push(wait);
    last = outcome !== 0n;
  }
  return changes;
}

/** Sampled times, and those about the numbers that the condition has. */
function listWaits(condition: Value, words: Words, now: Now, isBlock: boolean): number[] {
  const numbers = new Set<bigint>([isBlock ? now.number : now.time]);
  const waiting = [condition];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.word !== null) numbers.add(next.word);
    const place = loadedPlace(next);
    const word = place && place.keys.length === 0 ? words.get(place.base) : undefined;
    if (word !== undefined) numbers.add(word);
    if (next.of !== undefined && place === null) waiting.push(...next.of.operands);
    if (numbers.size > 12) break;
  }
  const list = [...numbers];
  const start = isBlock ? now.number : now.time;
  const sums = list.flatMap((a) => [a, ...list.map((b) => a + b)]);
  const near = sums.flatMap((sum) => {
    const wait = (sum - start) * (isBlock ? BLOCK_SECONDS : 1n);
    return wait > 0n && wait < BigInt(YEARS) ? [Number(wait) - 2, Number(wait), Number(wait) + 2] : [];
  });
  // What is left by a division comes again and again: about each of the other numbers in the turn that runs now, and the next.
  const turns = list.flatMap((turn) => (turn > 1n && turn <= LONGEST_TURN ? [turn, turn + 1n] : []));
  const again = turns.flatMap((turn) =>
    list
      .filter((rest) => rest <= turn)
      .flatMap((rest) => [start - (start % turn) + rest, start - (start % turn) + turn + rest])
      .flatMap((moment) => {
        const wait = Number(moment - start) * (isBlock ? Number(BLOCK_SECONDS) : 1);
        return [wait - 2, wait - 1, wait, wait + 1, wait + 2];
      }),
  );
  const all = [...WAITS, ...ODD_WAITS, ...near, ...again];
  return [...new Set(all.filter((wait) => wait >= 0))].sort((a, b) => a - b);
}

/** Whether a way is still open when the token is no longer young. */
function lasts(way: Way | null, history: History, words: Words, now: Now): boolean {
  const timed: Way[] = [];
  for (let step = way; step !== null; step = step.earlier) if (hasTime(step.condition)) timed.push(step);
  return WAITS.filter((wait) => wait >= YOUNG && wait % DAY === 0).some((wait) =>
    timed.every(({ condition, outcome }) => {
      const found = evaluate(condition, momentAfter(wait, history, words, now, readsBlocks(condition)));
      return found === null || (found !== 0n) === outcome;
    }),
  );
}
