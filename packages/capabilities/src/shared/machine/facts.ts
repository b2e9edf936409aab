import { describe, EQ, GT, LT, NOT, normalize, OR, SUB, XOR } from "./expression.js";
import type { Value } from "./value.js";
import type { Way } from "./way.js";

/** What is known where a way was gone: which values are no more than which, and which are equal. */
export interface Facts {
  isAtMost(less: string, more: string): boolean;
  /** Pairs of equal values. */
  readonly equal: readonly (readonly [Value, Value])[];
  readonly atMost: readonly (readonly [less: Value, more: Value])[];
  /** Products that were divided again by one of their factors. */
  readonly products: ReadonlySet<string>;
}

const [DIV, MUL] = [0x04, 0x02];

export function listFacts(way: Way | null): Facts {
  const atMost: (readonly [Value, Value])[] = [];
  const equal: (readonly [Value, Value])[] = [];
  const products = new Set<string>();
  const note = (condition: Value, outcome: boolean): void => {
    const [asked, isTrue] = normalize(condition, outcome);
    const { opcode, operands } = asked.of ?? { opcode: -2, operands: [] };
    const [a, b] = operands;
    if (opcode === NOT && a !== undefined && !isTrue)
      equal.push([a, { word: (1n << 256n) - 1n, sources: [] }]);
    if (a === undefined || b === undefined) return;
    if (opcode === LT) atMost.push(isTrue ? [a, b] : [b, a]);
    if (opcode === GT) atMost.push(isTrue ? [b, a] : [a, b]);
    if ((opcode === EQ && isTrue) || ((opcode === SUB || opcode === XOR) && !isTrue)) {
      equal.push([a, b]);
      for (const one of [a, b]) noteProduct(one);
    }
    // Nothing is multiplied where one factor is zero.
    if (opcode === OR && isTrue) for (const one of [a, b]) noteProductsIn(one);
    if (opcode === OR && !isTrue) {
      note(a, false);
      note(b, false);
    }
    if (opcode === 0x16 && isTrue) {
      note(a, true);
      note(b, true);
    }
    // The compiler's older check: not both more than the quotient of all and not zero.
    if (opcode === 0x16 && !isTrue) for (const one of [a, b]) noteQuotient(one);
  };
  const noteProduct = ({ of }: Value): void => {
    const [product] = of?.operands ?? [];
    if (of?.opcode === DIV && product?.of?.opcode === MUL) products.add(describe(product));
  };
  const noteProductsIn = (value: Value): void => {
    for (const one of value.of?.operands ?? []) noteProduct(one);
  };
  const noteQuotient = ({ of }: Value): void => {
    for (const one of of?.operands ?? [])
      if (one.of?.opcode === DIV) products.add(`factors ${(of?.operands ?? []).map(describe).join()}`);
  };
  for (let step = way; step !== null; step = step.earlier) note(step.condition, step.outcome);
  const pairs = new Set(atMost.map(([less, more]) => `${describe(less)}<=${describe(more)}`));
  return {
    equal,
    atMost,
    products,
    isAtMost: (less, more) => less === more || pairs.has(`${less}<=${more}`),
  };
}
