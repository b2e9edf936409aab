import { expect, inject, test } from "vitest";
import { runMemory } from "./runMemory.js";

test("resident memory is weighed on the way, stays under the limit and grows little", async () => {
  const summary = await runMemory({
    seed: 8453,
    paidCalls: 24,
    unpaidCalls: 400,
    unpaidSeconds: 20,
    postgresUrl: inject("postgresUrl"),
  });
  expect(summary.violations).toEqual([]);
  expect(summary.residentAtStartMb).toBeGreaterThan(30);
  expect(summary.paid).toHaveLength(8);
  // With few calls the limit is far away. What a service may need to get going is a quarter of this.
  const grownMb = (summary.unpaid.at(-1)?.residentMb ?? Number.POSITIVE_INFINITY) - summary.residentAtStartMb;
  expect(grownMb).toBeLessThanOrEqual(100);
}, 60_000);
