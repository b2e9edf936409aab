import { expect, inject, test } from "vitest";
import { runReorgs } from "./runReorgs.js";

test("while the newest blocks are replaced during each paid call, nobody is charged twice or without an answer", async () => {
  const summary = await runReorgs({ seed: 8453, rounds: 6, postgresUrl: inject("postgresUrl") });
  expect(summary.violations).toEqual([]);
  expect(summary.reorganised).toBeGreaterThan(3);
  expect(summary.answered + summary.refused).toBe(6);
  expect(summary.charges).toBe(summary.settled);
}, 400_000);
