import { describe, expect, test } from "vitest";
import { AND, EQ } from "./expression.js";
import { findGuard } from "./findGuard.js";
import { constant, sourced, type Value } from "./value.js";

const made = (opcode: number, ...operands: Value[]): Value => ({
  word: null,
  sources: operands.flatMap(({ sources }) => sources),
  of: { opcode, operands },
});
const CALLER = sourced(null, "caller");
const SLOT: Value = {
  word: null,
  sources: [{ from: "storage", slot: 3n, key: [] }],
  of: { opcode: 0x54, operands: [constant(3n), constant(0n)] },
};
const cut = (value: Value, bits: bigint): Value => made(AND, constant((1n << bits) - 1n), value);
const equal = (left: Value, right: Value) => findGuard(made(EQ, left, right), true);

describe("who gets further where the caller is compared with a slot", () => {
  test("is the account in it, also where the compiler cut both to an address", () => {
    expect(equal(CALLER, SLOT)).toBe("slot 0x3");
    expect(equal(cut(CALLER, 160n), cut(SLOT, 160n))).toBe("slot 0x3");
  });

  test("is nobody in particular where a part of either is compared", () => {
    expect(equal(cut(CALLER, 128n), SLOT)).toBeNull();
    expect(equal(CALLER, cut(SLOT, 128n))).toBeNull();
  });
});
