import { ADD, AND, describe, loadedPlace, OR, SUB } from "./expression.js";
import type { Value } from "./value.js";

/** A sum of products: what each is made of, by name, and how often it is in the sum. */
export type Polynomial = ReadonlyMap<string, bigint>;

const MUL = 0x02;
/** Larger sums are one thing that cannot be taken apart. */
const MAX_TERMS = 64;
const UNIT = "";

export const single = (name: string): Polynomial => new Map([[name, 1n]]);

export function add(left: Polynomial, right: Polynomial, factor = 1n): Polynomial {
  const sum = new Map(left);
  for (const [name, count] of right) {
    const next = (sum.get(name) ?? 0n) + count * factor;
    if (next === 0n) sum.delete(name);
    else sum.set(name, next);
  }
  return sum;
}

function multiply(left: Polynomial, right: Polynomial): Polynomial | null {
  if (left.size * right.size > MAX_TERMS) return null;
  let product: Polynomial = new Map();
  for (const [one, count] of left)
    for (const [other, factor] of right) {
      const names = [...one.split("*"), ...other.split("*")].filter((name) => name !== UNIT).sort();
      product = add(product, new Map([[names.join("*"), count * factor]]));
    }
  return product;
}

const isMask = (word: bigint | null): word is bigint =>
  word !== null && word > 0n && (word & (word + 1n)) === 0n;

/** What is masked, or what is put into a part of a word; undefined where nothing is. */
export function unmask({ of }: Value): Value | undefined {
  const [a, b] = of?.operands ?? [];
  if (of === undefined || a === undefined || b === undefined) return undefined;
  if (of.opcode === MUL) return a.word === 1n ? b : b.word === 1n ? a : undefined;
  if (of.opcode === AND) return isMask(a.word) ? b : isMask(b.word) ? a : undefined;
  if (of.opcode !== OR) return undefined;
  const isRest = (one: Value) =>
    one.of?.opcode === AND && one.of.operands.some((inner) => loadedPlace(inner) !== null);
  return isRest(a) ? b : isRest(b) ? a : undefined;
}

/** What a value adds up to; `nameLoad` says what a word of storage was at that time. */
export function toPolynomial(value: Value, nameLoad: (load: Value) => Polynomial): Polynomial {
  const whole = () => single(`(${describe(value).replaceAll("*", "x")})`);
  if (value.word !== null) return value.word === 0n ? new Map() : new Map([[UNIT, value.word]]);
  if (loadedPlace(value) !== null) return nameLoad(value);
  const { opcode, operands } = value.of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  if (a === undefined || b === undefined) return whole();
  const parse = (one: Value) => toPolynomial(one, nameLoad);
  if (opcode === ADD) return add(parse(a), parse(b));
  if (opcode === SUB) return add(parse(a), parse(b), -1n);
  if (opcode === MUL) return multiply(parse(a), parse(b)) ?? whole();
  const inner = unmask(value);
  // A cast of an amount that was computed; one of an argument may cut it.
  if (inner !== undefined && (loadedPlace(inner) !== null || inner.of !== undefined)) return parse(inner);
  if (inner !== undefined) return single(`(${describe(value)} & ${a.word ?? b.word})`);
  return whole();
}

/** Whether it is zero or less whatever its parts are, which are no less than zero. */
export const isNeverPositive = (sum: Polynomial): boolean => [...sum.values()].every((count) => count < 0n);
