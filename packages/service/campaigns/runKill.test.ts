import { expect, inject, test } from "vitest";
import { paidCallFailpoints } from "../src/base/failpoints.js";
import { runKill } from "./runKill.js";

test("killed once at each failpoint, nothing acknowledged is lost and the books agree with the chain", async () => {
  const summary = await runKill({
    // Of this seed each failpoint is reached at the first try, with few calls under way.
    seed: 1787,
    kills: paidCallFailpoints.length,
    withExpiry: false,
    // All of them die before one takes over: each start costs more than what the process does.
    together: paidCallFailpoints.length,
    postgresUrl: inject("postgresUrl"),
  });
  expect(summary.violations).toEqual([]);
  expect(Object.keys(summary.killsByFailpoint.toJSON())).toEqual([...paidCallFailpoints].sort());
  expect(summary).toMatchObject({ acknowledgedLost: 0, chargedAfter402: 0, charges: summary.settled });
  expect(summary.acknowledged).toBeGreaterThan(paidCallFailpoints.length);
}, 400_000);
