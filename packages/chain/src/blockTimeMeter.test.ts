import { expect, test } from "vitest";
import { createBlockTimeMeter } from "./blockTimeMeter.js";

function measure(headers: readonly (readonly [number, number])[]): number {
  const meter = createBlockTimeMeter();
  for (const [number, timestamp] of headers) meter.add({ number, timestamp });
  return meter.ms();
}

test("two-second blocks measure as two seconds", () => {
  expect(measure(Array.from({ length: 50 }, (_, i) => [i, 1_000 + 2 * i] as const))).toBe(2_000);
});

test("blocks that share a second are measured over the span", () => {
  const fast = Array.from({ length: 300 }, (_, i) => [i, 1_000 + Math.floor(i / 5)] as const);
  expect(measure(fast)).toBeCloseTo(200, 0);
});

test("the window follows a change of pace", () => {
  const slow = Array.from({ length: 100 }, (_, i) => [i, 2 * i] as const);
  const fast = Array.from({ length: 700 }, (_, i) => [100 + i, 200 + Math.floor(i / 5)] as const);
  expect(measure([...slow, ...fast])).toBeCloseTo(200, 0);
});

test.each([
  ["nothing seen", []],
  ["one block", [[1, 100]]],
  [
    "a burst within one second",
    [
      [1, 100],
      [2, 100],
      [9, 100],
    ],
  ],
] as const)("%s falls back to two seconds", (_, headers) => {
  expect(measure(headers)).toBe(2_000);
});

test("the estimate stays between 100 ms and a minute", () => {
  expect(
    measure([
      [1, 100],
      [1_000, 101],
    ]),
  ).toBe(100);
  expect(
    measure([
      [1, 100],
      [2, 100_000],
    ]),
  ).toBe(60_000);
});

test("blocks taken off the chain no longer count", () => {
  const meter = createBlockTimeMeter();
  for (const [number, timestamp] of [
    [1, 100],
    [2, 102],
    [3, 9_000],
  ] as const)
    meter.add({ number, timestamp });
  meter.rewind(3);
  meter.add({ number: 3, timestamp: 104 });
  expect(meter.ms()).toBe(2_000);
});
