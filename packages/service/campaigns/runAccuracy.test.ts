import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runAccuracy } from "./runAccuracy.js";

const folder = fileURLToPath(new URL("../../../bench/accuracy", import.meta.url));

/** The long form, `npm run campaign:accuracy`, adds the protocols that are installed on demand. */
test("honest transactions are not blocked, hostile ones not allowed, and no two of them look alike", async () => {
  const summary = await runAccuracy({ seed: 8453, folder, packaged: false, every: 10 });
  expect(summary.violations).toEqual([]);
  expect(summary.indistinct).toEqual([]);
  const seen = [summary.tuned.toJSON(), summary.heldOut.toJSON()];
  const count = (group: string, verdict: string) =>
    seen.reduce((sum, tally) => sum + (tally[`${group} ${verdict}`] ?? 0), 0);
  const honest = ["allow", "review", "block"].reduce((sum, verdict) => sum + count("honest", verdict), 0);
  expect(honest).toBeGreaterThan(9);
  expect(count("honest", "allow") / honest).toBeGreaterThanOrEqual(0.85);
}, 60_000);
