import { expect, inject, test } from "vitest";
import { runVoucherKill } from "./runVoucherKill.js";
import { killMoments } from "./voucherKillPlan.js";

test("killed once at each moment of a voucher, nothing is charged without its answer, and every voucher is claimed", async () => {
  const summary = await runVoucherKill({
    // Of this seed each failpoint is reached at the first try.
    seed: 1,
    kills: killMoments.length,
    // Half of them die before another one takes over: each start costs more than what the process does.
    together: Math.ceil(killMoments.length / 2),
    postgresUrl: inject("postgresUrl"),
  });
  expect(summary.violations).toEqual([]);
  expect(Object.keys(summary.killsByMoment.toJSON())).toEqual([...killMoments].sort());
  expect(summary.settled).toBe(summary.acknowledged);
  expect(summary.acknowledged).toBeGreaterThan(killMoments.length);
}, 400_000);
