import { describe, expect, test } from "vitest";
import { outlivesDelivery } from "./outlivesDelivery.js";

const NOW = 1_800_000_000_000;
const answer = (window: number, leftMs: number) => ({
  block: { number: 1_000, hash: "0x", timestamp: 0 } as never,
  validUntilBlock: 1_000 + window,
  freshUntilMs: NOW + leftMs,
});

describe("a stored answer", () => {
  // Blocks of 200 ms, as Base has them.
  test.each([
    ["a window of an hour, 3 s left", 18_000, 18_985, 3_600_000, true],
    ["a window of an hour, less than 3 s of blocks left", 18_000, 18_986, 3_600_000, false],
    ["a window of an hour, less than 3 s left by the clock", 18_000, 1_000, 2_999, false],
    ["a window of 4 s, a second left", 20, 1_015, 1_000, true],
    ["a window of 4 s, less than a second of blocks left", 20, 1_016, 1_000, false],
    ["a window of 4 s, less than a second left by the clock", 20, 1_000, 999, false],
    ["its own block", 0, 1_000, 60_000, true],
  ])("with %s", (_, window, headBlock, leftMs, isSold) => {
    expect(outlivesDelivery(answer(window, leftMs), headBlock, 200, NOW)).toBe(isSold);
  });
});
