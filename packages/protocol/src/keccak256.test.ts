import { bytesToHex, type Hex, keccak256 as reference } from "viem";
import { describe, expect, test } from "vitest";
import { keccak256 } from "./keccak256.js";

const bytesOf = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, i) => (i * 167 + seed * 59 + ((i * seed) >> 3)) & 0xff);

describe("keccak256", () => {
  test("of nothing and of a word, as everybody knows them", () => {
    expect(keccak256("0x")).toBe("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    expect(keccak256(new TextEncoder().encode("abc"))).toBe(
      "0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
    );
  });

  test("is the same as another implementation's for every length up to four blocks, of bytes and of text", () => {
    for (let length = 0; length <= 4 * 136 + 1; length += 1) {
      const bytes = bytesOf(length, length + 1);
      expect(keccak256(bytes)).toBe(reference(bytes));
      expect(keccak256(bytesToHex(bytes))).toBe(reference(bytes));
      expect(keccak256(`0x${bytesToHex(bytes).slice(2).toUpperCase()}`)).toBe(reference(bytes));
    }
  });

  test("is the same for each single bit and for long inputs", () => {
    for (let bit = 0; bit < 136 * 8; bit += 1) {
      const bytes = new Uint8Array(136);
      bytes[bit >> 3] = 1 << (bit & 7);
      expect(keccak256(bytes)).toBe(reference(bytes));
    }
    for (const length of [24_576, 100_003]) {
      const bytes = bytesOf(length, 7);
      expect(keccak256(bytes)).toBe(reference(bytes));
      // A part of a larger buffer.
      expect(keccak256(bytes.subarray(5, length - 9))).toBe(reference(bytes.slice(5, length - 9)));
    }
  });

  test.each(["0x0", "00", "0xzz", "0x0g", "0x\u0130\u0130", "", "0x 1"])(
    "refuses %j, and hashes the next",
    (text) => {
      expect(() => keccak256(text as Hex)).toThrow(TypeError);
      expect(keccak256("0x")).toMatch(/^0xc5d24601/);
    },
  );
});
