import { expect, inject, test } from "vitest";
import { runVoucherKill } from "./runVoucherKill.js";
import { killMoments } from "./voucherKillPlan.js";

/** Half of the moments; `npm run campaign:voucher-kill` kills at every one, hundreds of times. */
const KILLS = killMoments.length / 2;

test("killed at moments of a voucher, nothing is charged without its answer, and every voucher is claimed", async () => {
  const summary = await runVoucherKill({
    seed: 1,
    kills: KILLS,
    // All of them die before another one takes over: each start costs more than what the process does.
    together: KILLS,
    postgresUrl: inject("postgresUrl"),
  });
  expect(summary.violations).toEqual([]);
  expect(Object.keys(summary.killsByMoment.toJSON()).length).toBe(KILLS);
  expect(summary.settled).toBe(summary.acknowledged);
  expect(summary.acknowledged).toBeGreaterThan(KILLS);
}, 400_000);
