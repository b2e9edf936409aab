import { describe, expect, test } from "vitest";
import { Tally } from "./commandLine.js";
import { runSimulate } from "./runSimulate.js";
import { playWorld } from "./simulation/playWorld.js";
import type { ProtectionName } from "./simulation/protections.js";

test("lives of payments under faults at every wait end as they must", async () => {
  const summary = await runSimulate({ seed: 2, lives: 80, livesPerWorld: 40 });
  expect(summary.violations).toEqual([]);
  expect(summary.outcomes.of("settled")).toBeGreaterThan(20);
  expect(summary.outcomes.of("voucher settled")).toBeGreaterThan(10);
  expect(summary.pairs).toBeGreaterThan(40);
}, 60_000);

test("the same seed gives the same events, and another seed others", async () => {
  const hashOf = async (seed: number) => {
    const { traceHash } = await playWorld({ seed, lives: 8, faultRate: 0.02, coverage: new Tally() });
    return traceHash;
  };
  const first = await hashOf(5);
  expect(await hashOf(5)).toBe(first);
  expect(await hashOf(6)).not.toBe(first);
}, 60_000);

describe("control: without the protection that", () => {
  test.each<[ProtectionName, number, RegExp]>([
    ["one call for each authorization", 0, /duplicate key|denied after it was answered/],
    ["a quote is taken once", 5, /a quote bought more than one call/],
    ["settling is committed before the money moves", 0, /a payment was taken and its call is/],
    ["a call is settled once", 1, /another number of receipts/],
    ["a deposit counts once", 0, /charged more than it holds/],
  ])(
    "%s, violations are reported",
    async (without, seed, violation) => {
      const summary = await runSimulate({ seed, lives: 40, livesPerWorld: 40, without });
      expect(summary.violations).toContainEqual(expect.stringMatching(violation));
    },
    60_000,
  );
});
