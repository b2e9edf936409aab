import { createHash } from "node:crypto";
import { PURE } from "./arithmetic.js";
import { CONCAT, constant, type Source, type Value } from "./value.js";

export const [ADD, SUB, DIV, LT, GT, SLT, SGT, EQ, ISZERO, AND, OR, XOR, NOT] = [
  0x01, 0x03, 0x04, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19,
];
const [SHL, SHR, HASH, SLOAD] = [0x1b, 0x1c, 0x20, 0x54];
/** Larger expressions are not taken apart. */
const MAX_NODES = 3_000;

/** A place in storage: a slot of its own, or an entry of a mapping or an array. */
export interface Place {
  /** The slot that the compiler gave it, or ? where it cannot be named. */
  readonly base: string;
  readonly keys: readonly Value[];
}

const isMask = (word: bigint | null): boolean => word !== null && word > 0n && (word & (word + 1n)) === 0n;
export const isPower = (word: bigint | null): boolean =>
  word !== null && word > 0n && (word & (word - 1n)) === 0n;

/** The value without what compilers put around it: masks of its type, its place within a word, and double negations. */
export function strip(value: Value): Value {
  for (let current = value; ; ) {
    const inner = unwrap(current);
    if (inner === undefined) return current;
    current = inner;
  }
}

function unwrap({ of, word }: Value): Value | undefined {
  const { opcode, operands } = of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  if (a === undefined || word !== null) return undefined;
  if (opcode === AND && b) return isMask(a.word) ? b : isMask(b.word) ? a : undefined;
  if (opcode === SHR && a.word !== null && b) {
    if (b.of?.opcode === SHL && b.of.operands[0]?.word === a.word) return b.of.operands[1];
    return isLoad(b) ? b : undefined;
  }
  if (opcode === DIV && b && isPower(b.word) && isLoad(a)) return a;
  if (opcode === ISZERO && a.of?.opcode === ISZERO) return a.of.operands[0];
  return undefined;
}

export const isLoad = (value: Value): boolean => value.of?.opcode === SLOAD;

export function placeOf(slot: Value): Place {
  const { of, word } = slot;
  if (of?.opcode === HASH) return placeOfHash(of.operands);
  if (of?.opcode === ADD) {
    const [a, b] = of.operands as [Value, Value];
    // A part of a structure, or an item of an array.
    const [inner, index] = a.of?.opcode === HASH || a.of?.opcode === ADD ? [a, b] : [b, a];
    const place = placeOf(inner);
    if (place.base === "?") return place;
    return index.word === null ? { base: place.base, keys: [...place.keys, index] } : place;
  }
  return word === null ? { base: "?", keys: [slot] } : { base: `0x${word.toString(16)}`, keys: [] };
}

/** An address that was shifted beside a constant is as one that was written before it. */
function listParts(value: Value): readonly Value[] {
  const { opcode, operands } = value.of ?? { opcode: -2, operands: [] };
  if (opcode === CONCAT) return operands;
  const [a, b] = operands;
  if (opcode !== OR || a === undefined || b === undefined) return [value];
  const [shifted, fixed] = a.word === null ? [a, b] : [b, a];
  const [by, inner] = shifted.of?.opcode === SHL ? shifted.of.operands : [];
  return fixed.word !== null && by?.word === 96n && inner !== undefined ? [inner, fixed] : [value];
}

function placeOfHash(operands: readonly Value[]): Place {
  if (operands.length === 2) {
    const [key, base] = operands as [Value, Value];
    if (base.of?.opcode === HASH || base.of?.opcode === ADD) {
      const outer = placeOf(base);
      return { base: outer.base, keys: [...outer.keys, key] };
    }
    if (base.word !== null) return { base: `0x${base.word.toString(16)}`, keys: [key] };
  }
  const [only] = operands;
  if (operands.length === 1 && (only?.of?.opcode === HASH || only?.of?.opcode === ADD)) {
    // The items of an array that is itself an entry.
    const outer = placeOf(only);
    return { base: outer.base, keys: [...outer.keys, constant(0n)] };
  }
  const parts = operands.flatMap(listParts);
  const fixed = parts.flatMap(({ word }) => (word === null ? [] : [word.toString(16)]));
  return fixed.length === 0
    ? { base: "?", keys: parts }
    : { base: `hash:${fixed.join()}`, keys: parts.filter(({ word }) => word === null) };
}

/** Everything that an expression is made of: words of storage, arguments, answers, and so on. */
export function listLeaves(value: Value): Value[] {
  const found = new Set<Value>();
  const seen = new Set<Value>();
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || seen.size > MAX_NODES) continue;
    seen.add(next);
    if (next.of === undefined || isLoad(next)) {
      if (next.sources.length > 0) found.add(next);
    } else if (next.of.opcode === 0x31) found.add(next);
    else waiting.push(...next.of.operands);
  }
  return [...found];
}

export const loadedPlace = (value: Value): Place | null =>
  isLoad(value) && value.of ? placeOf(value.of.operands[0] as Value) : null;

export const hasSource = ({ sources }: Value, ...origins: readonly Source["from"][]): boolean =>
  sources.some(({ from }) => origins.includes(from));

/** Whether the value is what this names, and nothing was computed with it. A part of an account is shared by many. */
export const isPlainly = (value: Value, from: Source["from"]): boolean => {
  const { of, sources, word } = strip(value);
  const isOne = word === null && of === undefined && sources.length === 1 && sources[0]?.from === from;
  return isOne && ((from !== "caller" && from !== "self") || readWidth(value) >= ADDRESS_BITS);
};

const ADDRESS_BITS = 160;

/** The bits that are left of what `strip` finds. */
export function readWidth(value: Value): number {
  let bits = 256;
  for (let current: Value | undefined = value; current !== undefined; current = unwrap(current)) {
    if (current.of?.opcode !== AND || current.word !== null) continue;
    const mask = current.of.operands.find(({ word }) => isMask(word))?.word;
    if (mask != null) bits = Math.min(bits, mask.toString(2).length);
  }
  return bits;
}

const MAX_NAME = 160;
/** Amounts and accounts have as many bits or more. */
const CUT_BITS = 64;
const names = new WeakMap<Value, string>();

/** A text that is the same for equal expressions alone. */
export function describe(value: Value): string {
  const known = names.get(value);
  if (known !== undefined) return known;
  const bare = strip(value);
  const width = isLoad(bare) ? ADDRESS_BITS : readWidth(value);
  // A part of a number says nothing about the whole. Words of storage are cut to what the compiler put there.
  const full = width < CUT_BITS ? `${writeName(bare)}&${width}` : writeName(bare);
  const name =
    full.length > MAX_NAME ? `#${createHash("sha256").update(full).digest("hex").slice(0, 24)}` : full;
  names.set(value, name);
  return name;
}

function writeName({ word, of, sources }: Value): string {
  if (word !== null) return `0x${word.toString(16)}`;
  if (of) return `${of.opcode}(${of.operands.map(describe).join()})`;
  return sources
    .map((source) => {
      if (source.from === "calldata") return `argument ${source.at ?? "?"}`;
      if (source.from === "environment") return source.what ?? source.from;
      return source.from === "call" ? `answer ${source.selector} of ${describe(source.to)}` : source.from;
    })
    .join("+");
}

export const describeBase = ({ base, keys }: Place): string =>
  keys.length === 0 ? base : `${base}[${keys.length}]`;

export interface Moment {
  readonly time: bigint;
  readonly number: bigint;
  load(place: Place): bigint | null;
}

/** The value at a time, where nothing else decides about it. */
export function evaluate(value: Value, moment: Moment, left = { nodes: 400 }): bigint | null {
  if (value.word !== null) return value.word;
  left.nodes -= 1;
  if (left.nodes < 0) return null;
  if (value.of === undefined) {
    const [source, more] = value.sources;
    if (more !== undefined || source?.from !== "environment") return null;
    return source.what === "time" ? moment.time : source.what === "number" ? moment.number : null;
  }
  const place = loadedPlace(value);
  if (place !== null) return moment.load(place);
  return operate(value.of, (one) => evaluate(one, moment, left));
}

/** The value if the call had another length, where nothing else decides about it. */
export function evaluateAtLength(value: Value, length: bigint, left = { nodes: 400 }): bigint | null {
  if (!hasSource(value, "size")) return value.word;
  left.nodes -= 1;
  if (left.nodes < 0) return null;
  if (value.of === undefined) return value.sources.length === 1 ? length : null;
  return operate(value.of, (one) => evaluateAtLength(one, length, left));
}

/** What an operation that depends on nothing else makes of its operands; null where one of them is not known. */
function operate(
  { opcode, operands }: NonNullable<Value["of"]>,
  weigh: (operand: Value) => bigint | null,
): bigint | null {
  const operation = PURE[opcode];
  if (operation === undefined) return null;
  const words = operands.map(weigh);
  if (words.some((word) => word === null)) return null;
  const [a, b, c] = words as bigint[];
  return operation(a ?? 0n, b ?? 0n, c ?? 0n) & ((1n << 256n) - 1n);
}

/** Two values that are equal where a condition has this outcome. */
export function findEqual(condition: Value, outcome: boolean): readonly [Value, Value] | null {
  const [current, isTrue] = normalize(condition, outcome);
  const { opcode, operands } = current.of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  if (a === undefined || b === undefined) return null;
  if (opcode === EQ && isTrue) return [a, b];
  return (opcode === SUB || opcode === XOR) && !isTrue ? [a, b] : null;
}

/** The condition without negations, and whether it was negated. */
export function normalize(condition: Value, outcome: boolean): readonly [Value, boolean] {
  let [current, isTrue] = [condition, outcome];
  while (current.of?.opcode === ISZERO) {
    current = current.of.operands[0] as Value;
    isTrue = !isTrue;
  }
  return [current, isTrue];
}
