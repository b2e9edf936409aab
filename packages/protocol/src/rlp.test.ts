import fc from "fast-check";
import { toHex, toRlp } from "viem";
import { describe, expect, test } from "vitest";
import { decodeRlp, EncodingError, rlpBytes, rlpList, rlpNumber, shortestBytes } from "./rlp.js";

describe("a number of RLP", () => {
  test("is what was written, in the one form that RLP has for it", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
        const bytes = shortestBytes(toHex(value));
        expect(rlpNumber(bytes, "it")).toBe(value);
        expect(decodeRlp(toRlp(bytes), "it")).toBe(bytes);
      }),
      { numRuns: 50 },
    );
  });

  test.each<[string, Parameters<typeof rlpNumber>[0]]>([
    ["a leading zero", "0x0001"],
    ["zero as a byte", "0x00"],
    ["more than 256 bits", `0x01${"00".repeat(32)}`],
    ["a list", ["0x01"]],
    ["nothing", undefined],
  ])("is not %s", (_, item) => {
    expect(() => rlpNumber(item, "it")).toThrow(EncodingError);
  });

  test("may end in a zero byte, and be the largest", () => {
    expect(rlpNumber("0x0100", "it")).toBe(256n);
    expect(rlpNumber(`0x${"ff".repeat(32)}`, "it")).toBe(2n ** 256n - 1n);
    expect(rlpNumber("0x", "it")).toBe(0n);
  });
});

test("bytes have the size that is asked for, and lists are lists", () => {
  expect(rlpBytes("0x0102", "it", 2)).toBe("0x0102");
  expect(rlpBytes("0x0102", "it")).toBe("0x0102");
  for (const size of [0, 1, 3]) expect(() => rlpBytes("0x0102", "it", size)).toThrow(EncodingError);
  expect(() => rlpBytes([], "it")).toThrow(EncodingError);
  expect(rlpList(["0x"], "it")).toEqual(["0x"]);
  for (const item of ["0x", undefined] as const) expect(() => rlpList(item, "it")).toThrow(EncodingError);
  expect(() => decodeRlp("0x8101ff", "it")).toThrow(EncodingError);
});
