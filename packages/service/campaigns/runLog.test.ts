import { expect, inject, test } from "vitest";
import { runLog } from "./runLog.js";

test("a log of thousands of leaves is the tree of RFC 6962, proves what it holds and refuses forged proofs", async () => {
  const summary = await runLog({
    seed: 8453,
    leaves: 5_000,
    proofs: 100,
    forgeries: 400,
    postgresUrl: inject("postgresUrl"),
  });
  expect(summary.violations).toEqual([]);
  expect(summary.appended.map(({ size }) => size)).toEqual([1_000, 3_375]);
  // Rows of a proof: at most one for each level, and as many again where the tree is ragged.
  expect(summary.inclusion.rowsMax).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(5_000)));
  expect(Object.values(summary.forged.toJSON()).reduce((sum, count) => sum + count, 0)).toBe(400);
}, 60_000);
