import type { Hex } from "@assay/protocol";
import fc from "fast-check";
import { encodeAbiParameters, parseAbiParameters, stringToHex, zeroAddress } from "viem";
import { describe, expect, test } from "vitest";
import { decodeQuestionRecord } from "./decodeQuestionRecord.js";

const text = stringToHex("q: title: Will it rain?");
const forms: [string, Hex][] = [
  [
    "nine words",
    encodeAbiParameters(
      parseAbiParameters("(uint256,uint256,uint256,uint256,bool,bool,address,address,bytes)"),
      [[5n, 0n, 0n, 9n, true, false, zeroAddress, zeroAddress, text]],
    ),
  ],
  [
    "eleven words",
    encodeAbiParameters(
      parseAbiParameters("(uint256,uint256,uint256,uint256,uint256,bool,bool,bool,address,address,bytes)"),
      [[5n, 0n, 0n, 7n, 9n, true, false, true, zeroAddress, zeroAddress, text]],
    ),
  ],
  [
    "twelve words",
    encodeAbiParameters(
      parseAbiParameters(
        "(uint256,uint256,uint256,uint256,uint256,bool,bool,bool,bool,address,address,bytes)",
      ),
      [[5n, 0n, 0n, 7n, 9n, true, false, true, true, zeroAddress, zeroAddress, text]],
    ),
  ],
];

describe("an adapter's record", () => {
  test.each(forms)("of %s is understood", (_, data) => {
    expect(decodeQuestionRecord(data)).toEqual({ isResolved: true, isPaused: false, isManual: true, text });
  });

  test.each(forms)("of %s that is cut is none", (_, data) => {
    for (const length of [2, 66, 700, data.length - 64])
      expect(decodeQuestionRecord(data.slice(0, length) as Hex)).toBeNull();
  });

  test("any other bytes are none, and never an error", () => {
    const bytes = fc
      .uint8Array({ maxLength: 600 })
      .map((one): Hex => `0x${Buffer.from(one).toString("hex")}`);
    fc.assert(fc.property(bytes, (data) => decodeQuestionRecord(data) === null));
  });
});
