import { expect, inject, test } from "vitest";
import { runMemory } from "./runMemory.js";

test("resident memory is weighed on the way and stays under the limit", async () => {
  const summary = await runMemory({
    seed: 8453,
    paidCalls: 48,
    unpaidCalls: 800,
    unpaidSeconds: 20,
    postgresUrl: inject("postgresUrl"),
  });
  expect(summary.violations).toEqual([]);
  expect(summary.residentAtStartMb).toBeGreaterThan(30);
  expect(summary.paid).toHaveLength(8);
  expect(summary.unpaid.at(-1)?.residentMb).toBeLessThanOrEqual(summary.residentLimitMb);
}, 60_000);
