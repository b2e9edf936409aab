import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import { exploreTrade } from "./exploreTrade.js";

function explore(code: Hex) {
  const slices = exploreTrade(code);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

test("a program in which ways part and meet many times is followed to its end", () => {
  // Each word of calldata decides whether a step is left out: there are 65,536 ways through all.
  const parts = Array.from({ length: 16 }, (_, index) =>
    [index, index * 10 + 9].map((byte) => byte.toString(16).padStart(2, "0")),
  );
  const code = parts.map(([word, after]) => `60${word}356100${after}575f505b`).join("");
  expect(explore(`0x${code}00`)).toMatchObject([{ isComplete: true }]);
});

test.each<[string, Hex, boolean]>([
  ["that its arguments are there", "0x604436106008575b00", false],
  ["for more than a trade's arguments", "0x608436106008575b00", true],
  ["for one length alone", "0x604436146008575b00", true],
])("a program that looks %s", (_, code, looksAtLength) => {
  expect(explore(code)).toMatchObject([{ looksAtLength }]);
});
