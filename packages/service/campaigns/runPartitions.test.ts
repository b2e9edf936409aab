import { expect, inject, test } from "vitest";
import { runPartitions } from "./runPartitions.js";

test("what the hot statements cost does not grow with the history, and a partitioned table costs no less", async () => {
  const { many, few, violations } = await runPartitions({
    seed: 8453,
    calls: 4_000,
    repeats: 10,
    sales: 128,
    postgresUrl: inject("postgresUrl"),
  });
  expect(violations).toEqual([]);
  // Some 750 bytes with its index entries; empty pages of 24 partitions weigh more among so few.
  expect(many.whole.bytesPerCall).toBeGreaterThan(500);
  expect(many.whole.bytesPerCall).toBeLessThan(1_300);
  expect(many.monthly.bytesPerCall).toBeGreaterThan(many.whole.bytesPerCall);
  for (const { whole, monthly } of [few, many]) {
    // Looked up by its key, then in its month.
    expect(monthly.statements.receipt?.pages).toBeGreaterThanOrEqual(whole.statements.receipt?.pages ?? 0);
    // Nobody knows in which months a payer has open calls.
    expect(monthly.statements.payer?.pages).toBeGreaterThan(whole.statements.payer?.pages ?? 0);
  }
}, 120_000);
