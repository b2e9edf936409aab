import { type FoundEnding, nameEntry, type TradeFunction, type Written } from "./exploreTrade.js";
import {
  ADD,
  AND,
  DIV,
  describe,
  describeBase,
  isPlainly,
  loadedPlace,
  type Place,
  SUB,
  strip,
} from "./expression.js";
import { type Facts, listFacts } from "./facts.js";
import { type Guard, isSigner } from "./findGuard.js";
import { type Bits, isOver } from "./listChanging.js";
import type { Bookkeeping, Words } from "./listSettings.js";
import { add, isNeverPositive, type Polynomial, single, toPolynomial, unmask } from "./polynomial.js";
import type { Value } from "./value.js";

/** A way on which accounts get more than others lose, or lose what they did not give. */
export interface Leak {
  readonly selector: number;
  readonly place: Place;
  readonly guards: readonly Guard[];
}

const MUL = 0x02;
/** Allowances from here on are never used up. */
const ENDLESS = (1n << 96n) - 1n;
/** What may still be made, as a part of the supply. */
const LITTLE = 1_000n;
const WIDE = 1n << 192n;
/** Factors that no amount overflows with. */
const SMALL = 1n << 64n;

/** Ways through any function that make tokens, or take them from accounts that did not agree. */
export function findLeaks(
  functions: readonly TradeFunction[],
  books: Bookkeeping,
  words: Words,
  changing: Bits,
): Leak[] {
  const leaks = new Map<string, Leak>();
  for (const { selector, endings } of functions)
    for (const ending of endings) {
      const concerned = ending.written.some(({ place }) => isHolding(place, books));
      if (!concerned || isOver(ending.way, words, changing)) continue;
      const facts = listFacts(ending.way);
      for (const place of [
        ...findMade(ending, facts, books, words),
        ...findTaken(ending, facts, books),
        ...findGranted(ending, facts, books),
      ]) {
        const named = ending.guards.filter((guard) => isKey(guard, books));
        leaks.set(`${selector}:${describeBase(place)}:${named.join()}`, { selector, place, guards: named });
      }
    }
  return [...leaks.values()];
}

/** What somebody has or allowed is no key. */
function isKey(guard: Guard, { balances, allowances }: Bookkeeping): boolean {
  if (guard.startsWith("slot ") || guard.startsWith("account ")) return true;
  const list = guard.slice("list ".length);
  return guard.startsWith("list ") && !balances.has(list) && !allowances.has(list);
}

const isHolding = (place: Place, { balances, allowances }: Bookkeeping): boolean =>
  place.keys.length > 0 && (balances.has(describeBase(place)) || allowances.has(describeBase(place)));

const isBalance = (place: Place, { balances }: Bookkeeping): boolean =>
  place.keys.length > 0 && balances.has(describeBase(place));

const nameAtom = (key: string): string => `[${key.replaceAll("*", "x")}]`;

/** Without every mask around it. */
function unmaskAll(value: Value): Value {
  let current = value;
  for (let inner = unmask(current); inner?.of !== undefined; inner = unmask(current)) {
    if (loadedPlace(inner) !== null) return current;
    current = inner;
  }
  return current;
}

/** What a word of storage was: as it was before the call, or as this way wrote it. */
function createReader(written: readonly Written[]) {
  const nameLoad = (load: Value): Polynomial => {
    const place = loadedPlace(load) as Place;
    const key = nameEntry(place);
    const seen = Number(load.of?.operands[1]?.word ?? 0n);
    const last = written.slice(0, seen).findLast((one) => one.key === key);
    return last === undefined ? single(nameAtom(key)) : toPolynomial(last.value, nameLoad);
  };
  return { read: (value: Value) => toPolynomial(value, nameLoad) };
}

/** Balances that grow by more than others shrink. */
function findMade({ written }: FoundEnding, facts: Facts, books: Bookkeeping, words: Words): Place[] {
  const { read } = createReader(written);
  const sums = new Map<string, { place: Place; sum: Polynomial; isSafe: boolean }>();
  written.forEach(({ place, key, value, isStale }, index) => {
    if (!isBalance(place, books)) return;
    const base = describeBase(place);
    const before = written.slice(0, index).findLast((one) => one.key === key);
    const held = before ? read(before.value) : single(nameAtom(key));
    const one = sums.get(base) ?? { place, sum: new Map(), isSafe: true };
    sums.set(base, {
      place,
      sum: add(one.sum, add(read(value), held, -1n)),
      isSafe: one.isSafe && !isStale && isSound(value, place, facts),
    });
  });
  const shrinks = [...sums.values()].some(
    ({ sum, isSafe }) => isSafe && sum.size > 0 && isNeverPositive(sum),
  );
  return [...sums.values()].flatMap(({ place, sum, isSafe }) => {
    if (isSafe && (isNeverPositive(sum) || isPaid(sum) || (shrinks && sums.size > 1))) return [];
    return isBounded(sum, facts, books, words, read) && isSafe ? [] : [place];
  });
}

/** No more than the native currency that came with the call. */
const isPaid = (sum: Polynomial): boolean =>
  [...sum].every(([name, count]) => count < 0n || (name === "(value)" && count === 1n));

/** Nearly everything that may ever be made is there. */
function isBounded(
  sum: Polynomial,
  { atMost }: Facts,
  { supply }: Bookkeeping,
  words: Words,
  read: (value: Value) => Polynomial,
): boolean {
  const wordOf = (value: Value) => value.word ?? words.get(loadedPlace(strip(value))?.base ?? "?");
  return atMost.some(([less, more]) => {
    const most = wordOf(more);
    const made = read(less);
    return [...supply].some((base) => {
      const now = words.get(base);
      if (most === undefined || now === undefined || (most > now && (most - now) * LITTLE > now))
        return false;
      // No more is made than is added to the supply.
      const rest = add(sum, add(made, single(nameAtom(`${base}:`)), -1n), -1n);
      return made.get(nameAtom(`${base}:`)) === 1n && (rest.size === 0 || isNeverPositive(rest));
    });
  });
}

/** Whether what is written cannot have wrapped around. */
function isSound(value: Value, place: Place, facts: Facts): boolean {
  const inner = unmaskAll(value);
  const { opcode, operands } = inner.of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  const isOwn = (one: Value | undefined) => {
    const loaded = one && loadedPlace(strip(one));
    return loaded != null && nameEntry(loaded) === nameEntry(place);
  };
  if (opcode === ADD && a && b) return isOwn(a) ? areChecked(b, facts) : isOwn(b) && areChecked(a, facts);
  if (opcode === SUB && a && b && isOwn(a)) return isDifference(inner, a, b, facts) && areChecked(b, facts);
  return areChecked(value, facts);
}

const isDifference = (whole: Value, a: Value, b: Value, facts: Facts): boolean =>
  facts.isAtMost(describe(whole), describe(a)) || facts.isAtMost(describe(b), describe(a));

/** Whether every step of a computation was checked, or cannot wrap around. */
function areChecked(value: Value, facts: Facts): boolean {
  const seen = new Set<Value>();
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || next.of === undefined || loadedPlace(next) !== null || next.word !== null) continue;
    seen.add(next);
    const { opcode, operands } = next.of;
    const [a, b] = operands;
    if (a && b) {
      if (opcode === SUB && !isDifference(next, a, b, facts) && !isPartOf(b, a)) return false;
      if (opcode === ADD && !isSum(next, a, b, facts)) return false;
      if (opcode === MUL && !isProduct(next, a, b, facts)) return false;
    }
    waiting.push(...operands);
    if (seen.size > 300) return false;
  }
  return true;
}

/** Far from the largest number. */
const isNarrow = (value: Value, { atMost }: Facts): boolean =>
  (value.word !== null && value.word < WIDE) ||
  (value.of?.opcode === AND && value.of.operands.some(({ word }) => word !== null && word < WIDE)) ||
  atMost.some(([less, more]) => describe(less) === describe(value) && more.word !== null && more.word < WIDE);

const isSum = (whole: Value, a: Value, b: Value, facts: Facts): boolean => {
  const name = describe(whole);
  if (isNarrow(a, facts) && isNarrow(b, facts)) return true;
  return [a, b].some(
    (one) =>
      facts.isAtMost(describe(one), name) ||
      facts.atMost.some(([less, more]) => describe(less) === describe(one) && more.of?.opcode === 0x19),
  );
};

/** A hundredth of something is no more than it. */
function isPartOf(part: Value, whole: Value): boolean {
  const { opcode, operands } = strip(part).of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  if (opcode !== DIV || a === undefined || b?.word == null || b.word === 0n) return false;
  if (describe(a) === describe(whole)) return true;
  if (a.of?.opcode !== MUL) return false;
  const factor = a.of.operands.find(({ word }) => word !== null)?.word;
  return factor != null && factor <= b.word && a.of.operands.some((one) => describe(one) === describe(whole));
}

function isProduct(whole: Value, a: Value, b: Value, facts: Facts): boolean {
  if (facts.products.has(describe(whole))) return true;
  const isZero = [a, b].some((one) => facts.equal.some((pair) => isPairOf(pair, one, 0n)));
  if (isZero) return true;
  const [amount, factor] = a.word === null ? [a, b] : [b, a];
  // An amount that somebody has is far from the largest number.
  const isHeld = facts.atMost.some(
    ([less, more]) => describe(less) === describe(amount) && loadedPlace(strip(more)) !== null,
  );
  return (
    (factor.word !== null && factor.word < SMALL && isHeld) ||
    facts.products.has(`factors ${[a, b].map(describe).join()}`)
  );
}

const isPairOf = ([left, right]: readonly [Value, Value], one: Value, word: bigint): boolean =>
  (describe(left) === describe(one) && right.word === word) ||
  (describe(right) === describe(one) && left.word === word);

/** Whether the account itself acts, or signed. */
function isConsenting(account: Value, facts: Facts): boolean {
  if (isPlainly(account, "caller") || isPlainly(account, "self")) return true;
  // Some write for the account that signed, and compare it with the one that was named.
  if (isSigner(account) && strip(account).of === undefined) return true;
  const name = describe(account);
  return facts.equal.some(
    ([a, b]) =>
      (describe(a) === name && (isSigner(b) || isPlainly(b, "caller"))) ||
      (describe(b) === name && (isSigner(a) || isPlainly(a, "caller"))),
  );
}

/** Balances that shrink without the consent of their holders. */
function findTaken({ written }: FoundEnding, facts: Facts, books: Bookkeeping): Place[] {
  const { read } = createReader(written);
  const entries = new Map<string, { place: Place; holder: Value; last: Value; isGain: boolean }>();
  for (const { place, key, value } of written) {
    const [holder] = place.keys;
    if (!isBalance(place, books) || holder === undefined || isConsenting(holder, facts)) continue;
    const before = entries.get(key)?.isGain ?? true;
    entries.set(key, { place, holder, last: value, isGain: before && isGain(value, place, facts) });
  }
  return [...entries].flatMap(([key, { place, holder, last, isGain: isOnlyGain }]) => {
    const change = add(read(last), single(nameAtom(key)), -1n);
    if (isOnlyGain || [...change.values()].every((count) => count > 0n)) return [];
    return isAllowed(holder, change, facts, books, read) ? [] : [place];
  });
}

/** Something is added to what was there, and it did not wrap around. */
function isGain(value: Value, place: Place, facts: Facts): boolean {
  const inner = unmaskAll(value);
  const isOwn = inner.of?.opcode === ADD && inner.of.operands.some((one) => isSameAgain(one, place));
  return isOwn && isSound(value, place, facts);
}

/** Whether an allowance of the holder for the caller covers what is taken. */
function isAllowed(
  holder: Value,
  change: Polynomial,
  facts: Facts,
  { allowances }: Bookkeeping,
  read: (value: Value) => Polynomial,
): boolean {
  const name = describe(holder);
  const isGrant = (value: Value): boolean => {
    const place = loadedPlace(strip(value));
    if (place === null || !allowances.has(describeBase(place))) return false;
    const isOurs = place.keys.some((key) => isPlainly(key, "caller") || isPlainly(key, "self"));
    return isOurs && place.keys.some((key) => describe(key) === name);
  };
  const covers = (amount: Value): boolean => {
    const allowed = read(amount);
    const [only, ...others] = allowed.keys();
    // Nothing is taken where nothing is asked for.
    const isEach = others.length === 0 && only !== undefined && only !== "";
    if (isEach && [...change].every(([parts, count]) => count > 0n || parts.split("*").includes(only)))
      return true;
    return [...add(change, allowed).values()].every((count) => count > 0n);
  };
  const isEndless = ({ word }: Value): boolean => word !== null && word >= ENDLESS;
  if (facts.equal.some(([a, b]) => (isGrant(a) && isEndless(b)) || (isGrant(b) && isEndless(a)))) return true;
  return facts.atMost.some(([less, more]) => {
    if (!isGrant(more)) return false;
    if (covers(less) || isEndless(less)) return true;
    // The compiler compares the difference with what was there.
    const [a, b] = less.of?.operands ?? [];
    return less.of?.opcode === SUB && a !== undefined && b !== undefined && isGrant(a) && covers(b);
  });
}

/** Allowances that somebody else than the holder gives. */
function findGranted({ written }: FoundEnding, facts: Facts, { allowances }: Bookkeeping): Place[] {
  return written.flatMap(({ place, value }): Place[] => {
    if (place.keys.length < 2 || !allowances.has(describeBase(place))) return [];
    const [holder] = place.keys;
    if (holder === undefined || isConsenting(holder, facts)) return [];
    const inner = unmaskAll(value);
    const [a, b] = inner.of?.operands ?? [];
    const isLess =
      inner.of?.opcode === SUB &&
      a !== undefined &&
      b !== undefined &&
      loadedPlace(strip(a)) !== null &&
      nameEntry(loadedPlace(strip(a)) as Place) === nameEntry(place) &&
      isDifference(inner, a, b, facts);
    return isLess || value.word === 0n || isSameAgain(value, place) ? [] : [place];
  });
}

const isSameAgain = (value: Value, place: Place): boolean => {
  const loaded = loadedPlace(strip(value));
  return loaded !== null && nameEntry(loaded) === nameEntry(place);
};
