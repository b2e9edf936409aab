import type { FoundStore, TradeFunction } from "./exploreTrade.js";
import {
  ADD,
  AND,
  describe,
  describeBase,
  findEqual,
  GT,
  ISZERO,
  isPlainly,
  isPower,
  LT,
  listLeaves,
  loadedPlace,
  normalize,
  OR,
  type Place,
  readWidth,
  strip,
} from "./expression.js";
import type { Guard } from "./findGuard.js";
import { type Bits, isOver } from "./listChanging.js";
import type { settingProofs } from "./tradeReading.js";
import type { Value } from "./value.js";
import type { Way } from "./way.js";

/** Rates in all units that are in use were tried up to this. */
const MOST_TRIED = 10_000n;

const [MUL, SHL] = [0x02, 0x1b];

export type Proof = (typeof settingProofs)[number];

export interface Setting {
  readonly selector: number;
  readonly place: Place;
  readonly guards: readonly Guard[];
  readonly proof: Proof;
}

export type Words = ReadonlyMap<string, bigint>;

/** A part of a word that is put back as it was. */
const isKept = ({ of }: Value): boolean =>
  of?.opcode === AND && of.operands.some((inner) => loadedPlace(inner) !== null);

/** What is put beside the part of a word that stays; null where nothing stays. */
function findAdded({ of }: Value): Value | null {
  const [a, b] = of?.operands ?? [];
  if (of?.opcode !== OR || a === undefined || b === undefined) return null;
  return isKept(a) ? b : isKept(b) ? a : null;
}

/** The constant that is written into a word or a part of it. */
export function findConstant(value: Value): bigint | null {
  if (value.word !== null) return value.word;
  return isKept(value) ? 0n : (findAdded(value)?.word ?? null);
}

/** What is written into a word or a part of it, at its right end. */
function findPart(value: Value): Value {
  const added = findAdded(value);
  return added === null ? value : unshift(added);
}

/** What is moved to its place within a word. */
function unshift(value: Value): Value {
  const { opcode, operands } = value.of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  if (a === undefined || b === undefined) return value;
  if (opcode === SHL && a.word !== null) return b;
  if (opcode === MUL) return isPower(a.word) ? b : isPower(b.word) ? a : value;
  // Cut at its place instead of before.
  if (opcode === AND && (a.word ?? b.word) !== null) {
    const inner = a.word === null ? a : b;
    const moved = unshift(inner);
    return moved === inner ? value : moved;
  }
  return value;
}

const isFlag = (value: Value): boolean => {
  for (
    let current: Value | undefined = value;
    current?.of;
    current = current.of.operands.find((one) => one.word === null)
  ) {
    if (current.of.opcode === ISZERO) return true;
    if (current.of.opcode === AND && current.of.operands.some(({ word }) => word === 0xffn)) return true;
  }
  return false;
};

function hasBound(way: Way | null, argument: Value, width: number, place: Place): Proof | null {
  const name = describe(argument);
  for (let step = way; step !== null; step = step.earlier) {
    const [current, isTrue] = normalize(step.condition, step.outcome);
    const { opcode, operands } = current.of ?? { opcode: -2, operands: [] };
    const [a, b] = operands;
    if ((opcode !== LT && opcode !== GT) || a === undefined || b === undefined) continue;
    const isFirst = describe(strip(a)) === name;
    if (!isFirst && describe(strip(b)) !== name) continue;
    // A bound of the last bits says nothing about the others, unless the compiler checked that there are none.
    if (readWidth(isFirst ? a : b) < width && !isWithin(way, name, readWidth(isFirst ? a : b))) continue;
    const other = strip(isFirst ? b : a);
    const isUpper = isFirst === (opcode === LT) ? isTrue : !isTrue;
    if (isUpper && other.word !== null && other.word <= MOST_TRIED) return "bounded";
    if (loadedPlace(other)?.base === place.base) return "direction";
  }
  return null;
}

/** Whether an argument was compared with its last bits, so that it has no more. */
function isWithin(way: Way | null, name: string, bits: number): boolean {
  for (let step = way; step !== null; step = step.earlier) {
    const pair = findEqual(step.condition, step.outcome);
    if (pair === null || pair.some((one) => describe(strip(one)) !== name)) continue;
    if (Math.min(...pair.map(readWidth)) <= bits) return true;
  }
  return false;
}

function findProof({ place, value, way }: FoundStore, isHolding: boolean): Proof {
  const arePlain = place.keys.every(
    (key) =>
      isPlainly(key, "calldata") ||
      isPlainly(key, "caller") ||
      isPlainly(key, "self") ||
      strip(key).word !== null,
  );
  if (!arePlain) return "none";
  const written = strip(findPart(value));
  if (findConstant(value) !== null) return place.keys.length === 0 ? "constant" : "listed";
  // What is done to balances is seen in them.
  if (isHolding) return "holding";
  const isArgument =
    isPlainly(written, "calldata") || written.sources.every(({ from }) => from === "calldata");
  if (isArgument && isFlag(value)) return place.keys.length === 0 ? "constant" : "listed";
  const bound = isPlainly(written, "calldata")
    ? hasBound(way, written, readWidth(findPart(value)), place)
    : null;
  if (bound !== null) return bound;
  if (isArgument && place.keys.length === 0 && isAccount(value)) return "account";
  // Made of nothing that the caller chooses.
  if (listLeaves(written).every((leaf) => loadedPlace(leaf)?.keys.length === 0)) return "constant";
  return "none";
}

/** Only its last twenty bytes are kept. */
function isAccount(value: Value): boolean {
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.of === undefined || loadedPlace(next) !== null) continue;
    if (next.of.opcode === AND && next.of.operands.some(({ word }) => word === (1n << 160n) - 1n))
      return true;
    if (waiting.length < 64) waiting.push(...next.of.operands);
  }
  return false;
}

interface Found {
  readonly settings: Setting[];
  /** Written by functions that no account, or one of a list that nobody can write, is asked for. */
  readonly open: { readonly selector: number; readonly place: Place }[];
}

export interface Bookkeeping {
  readonly balances: ReadonlySet<string>;
  readonly allowances: ReadonlySet<string>;
  readonly votes: ReadonlySet<string>;
  readonly supply: ReadonlySet<string>;
  /** The list of who has which role. */
  readonly roles: ReadonlySet<string>;
}

/** What functions other than those of a trade write of what a trade reads, and who may call them. */
export function listSettings(
  others: readonly TradeFunction[],
  read: ReadonlySet<string>,
  books: Bookkeeping,
  words: Words,
  changing: Bits,
): Found {
  const settings: Setting[] = [];
  const open: Found["open"] = [];
  const relevant = new Set(read);
  const writers = new Map<string, number>();
  for (const { stores } of others)
    for (const { place } of stores)
      writers.set(describeBase(place), (writers.get(describeBase(place)) ?? 0) + 1);
  for (let size = -1; size !== relevant.size; ) {
    size = relevant.size;
    settings.length = 0;
    open.length = 0;
    for (const { selector, stores } of others)
      for (const store of stores) {
        const { place, guards, way } = store;
        const base = describeBase(place);
        if (!relevant.has(base) || books.votes.has(base) || isOver(way, words, changing)) continue;
        const isHolding = books.balances.has(base) || books.allowances.has(base);
        const named = guards.filter((guard) => guard.startsWith("slot ") || guard.startsWith("account "));
        if (named.length > 0) {
          for (const guard of named) if (guard.startsWith("slot ")) relevant.add(guard.slice(5));
          settings.push({
            selector,
            place,
            guards: named,
            proof: findProof(store, isHolding || (books.supply.has(base) && isOwnStep(store))),
          });
          continue;
        }
        const lists = guards.filter((guard) => guard.startsWith("list ")).map((guard) => guard.slice(5));
        const secret = lists.filter(
          (list) =>
            !writers.has(list) &&
            !books.balances.has(list) &&
            !books.allowances.has(list) &&
            !books.roles.has(list),
        );
        const isSelfMade = isHolding || (books.supply.has(base) && isOwnStep(store));
        const isRole = lists.some((list) => books.roles.has(list));
        if (secret.length > 0 || (!isSelfMade && !isRole)) open.push({ selector, place });
      }
  }
  return { settings, open };
}

/** A sum or a difference of what was there. */
function isOwnStep({ place, value }: FoundStore): boolean {
  const { opcode, operands } = value.of ?? { opcode: -2, operands: [] };
  return (
    (opcode === ADD || opcode === 0x03) &&
    operands.some((one) => {
      const loaded = loadedPlace(strip(one));
      return loaded !== null && describeBase(loaded) === describeBase(place);
    })
  );
}
