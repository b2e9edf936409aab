import type { Hex } from "@assay/protocol";
import fc from "fast-check";
import { bytesToHex, encodeAbiParameters, stringToHex } from "viem";
import { describe, expect, test } from "vitest";
import { decodeTokenLabel, LABEL_CHARACTERS } from "./decodeTokenLabel.js";
import { LABEL_ANSWER_BYTES } from "./labelAnswer.js";
import { anyText } from "./testing/anyText.js";

const string = (text: string): Hex => encodeAbiParameters([{ type: "string" }], [text]);
const bytes = (content: Hex): Hex => encodeAbiParameters([{ type: "bytes" }], [content]);
const bytes32 = (text: string): Hex => stringToHex(text, { size: 32 });
const cut = (answer: Hex): Hex => answer.slice(0, 2 + LABEL_ANSWER_BYTES * 2) as Hex;

describe("texts", () => {
  test.each<[string, Hex, string, string]>([
    ["an ABI string", string("USD Coin"), "string", "USD Coin"],
    ["an empty string", string(""), "string", ""],
    ["a string of more bytes than characters", string("Евро €"), "string", "Евро €"],
    ["a string without padding", `${string("MKR").slice(0, 2 + 2 * 67)}` as Hex, "string", "MKR"],
    ["a bytes32 label", bytes32("MKR"), "bytes32", "MKR"],
    ["a full bytes32 label", bytes32("x".repeat(32)), "bytes32", "x".repeat(32)],
    ["an empty bytes32 label", bytes32(""), "bytes32", ""],
    ["a zero inside a bytes32 label", bytes32("A\0B"), "bytes32", "A\0B"],
    ["a byte order mark, which stays", string("\ufeffUSDC"), "string", "\ufeffUSDC"],
  ])("%s", (_, answer, form, text) => {
    expect(decodeTokenLabel(answer)).toEqual({ form, text, isTooLong: false });
  });

  test("one character more than the bound is too long", () => {
    expect(decodeTokenLabel(string("é".repeat(LABEL_CHARACTERS)))).toMatchObject({ isTooLong: false });
    expect(decodeTokenLabel(string("é".repeat(LABEL_CHARACTERS + 1)))).toMatchObject({ isTooLong: true });
  });

  test("a text cut inside a character keeps the whole ones", () => {
    // 959 bytes and then two-byte characters: the 960th byte is the first half of one.
    const text = `${"x".repeat(959)}${"é".repeat(10)}`;
    expect(decodeTokenLabel(cut(string(text)))).toEqual({
      form: "string",
      text: "x".repeat(959),
      isTooLong: true,
    });
  });
});

describe("what is no text", () => {
  test.each<[string, Hex]>([
    ["no bytes", "0x"],
    ["less than a word", "0x1234"],
    ["a number", `0x${"12".padStart(64, "0")}`],
    ["an offset alone", `0x${"20".padStart(64, "0")}`],
    ["another offset", `0x${"40".padStart(64, "0")}${"0".repeat(128)}`],
    ["a length beyond the answer", `0x${"20".padStart(64, "0")}${"ff".padStart(64, "0")}${"41".repeat(32)}`],
    ["a length of 256 bits", `0x${"20".padStart(64, "0")}${"f".repeat(64)}`],
    ["invalid UTF-8 in a string", bytes("0x55534443ff")],
    ["half a character at the end of a whole string", bytes("0x555344c3")],
    ["a surrogate in UTF-8", bytes("0xeda080")],
    ["invalid UTF-8 in a bytes32", `0x${"ff".padEnd(64, "0")}`],
  ])("%s", (_, answer) => {
    expect(decodeTokenLabel(answer)).toEqual({ form: null, problem: expect.any(String) });
  });
});

test("the decoder returns for every answer of a contract", () => {
  const content = fc.uint8Array({ maxLength: 960 });
  const length = fc.oneof(fc.bigInt(0n, 40n), fc.bigInt(0n, 1100n), fc.bigInt(0n, 2n ** 256n - 1n));
  const answers = fc.oneof(
    fc.uint8Array({ maxLength: LABEL_ANSWER_BYTES }).map((answer) => bytesToHex(answer)),
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((answer) => bytesToHex(answer)),
    // The right shape around bytes that need not be text, and around lengths that need not be true.
    content.map((held) => cut(bytes(bytesToHex(held)))),
    fc.tuple(fc.constantFrom(0n, 31n, 32n, 64n), length, content).map(([offset, stated, held]): Hex => {
      const head = encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [offset, stated]);
      return `${head}${bytesToHex(held).slice(2)}`;
    }),
    anyText(400).map((text) => cut(string(text))),
  );
  fc.assert(
    fc.property(answers, (answer) => {
      const label = decodeTokenLabel(answer);
      if (label.form !== null) expect(label.text).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});

test("every text that fits comes back as it went in", () => {
  fc.assert(
    fc.property(anyText(LABEL_CHARACTERS), (text) => {
      expect(decodeTokenLabel(string(text))).toEqual({ form: "string", text, isTooLong: false });
    }),
  );
});
