import { ADD, DIV, describe, EQ, GT, ISZERO, LT, NOT, OR, SUB, strip } from "./expression.js";
import type { Value } from "./value.js";

export interface Now {
  readonly time: bigint;
  readonly number: bigint;
}

export type History = ReadonlyMap<string, { readonly isPause: boolean; readonly grows: boolean }>;

const isQuotient = ({ of }: Value): boolean => of?.opcode === DIV && of.operands[0]?.of?.opcode === 0x02;

/** Checks that a sum or a difference is within the range of numbers. */
export function isRangeCheck(condition: Value): boolean {
  let current = condition;
  while (current.of?.opcode === ISZERO) current = current.of.operands[0] as Value;
  const { opcode, operands } = current.of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  if (opcode === NOT) return true;
  // Nothing is left of the largest number after one more.
  if (opcode === ADD) return [a, b].some((one) => one?.word === 1n);
  if (a === undefined || b === undefined) return false;
  const most = [(1n << 256n) - 1n, (1n << 128n) - 1n];
  // A product that is divided again by one of its factors must be the other.
  if (opcode === OR) return [a, b].some((one) => (one.word !== null && one.word !== 0n) || isRangeCheck(one));
  if (opcode === EQ && [a, b].some(isQuotient)) return true;
  if (opcode === EQ || opcode === SUB) return [a, b].some(({ word }) => word !== null && most.includes(word));
  if (opcode !== LT && opcode !== GT) return false;
  const isSumOf = (sum: Value, part: Value) => {
    const { opcode: made, operands: parts } = strip(sum).of ?? { opcode: -2, operands: [] };
    return (made === ADD || made === SUB) && parts.some((one) => describe(one) === describe(part));
  };
  return isSumOf(a, b) || isSumOf(b, a);
}
