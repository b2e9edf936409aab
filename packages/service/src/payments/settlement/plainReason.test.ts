import { expect, test } from "vitest";
import { plainReason } from "./plainReason.js";

test.each([
  [new Error("first\nsecond"), "first"],
  [new RangeError(""), "RangeError"],
  ["insufficient_funds", "insufficient_funds"],
  ["a\u0000b\u0007c\u00e9\u{1f600}", "a?b?c???"],
  ["\r\nSet-Cookie: a=b", "Set-Cookie: a=b"],
  ["", "no reason given"],
  ["\n\n", "no reason given"],
  [undefined, "undefined"],
  ["x".repeat(10_000), "x".repeat(200)],
])("%j → %s", (given, plain) => expect(plainReason(given)).toBe(plain));
