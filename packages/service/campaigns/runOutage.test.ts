import { afterAll, beforeAll, expect, test } from "vitest";
import { openServiceWorld, type ServiceWorld } from "./campaignWorld.js";
import { runOutage } from "./runOutage.js";

let shared: ServiceWorld;
beforeAll(async () => {
  shared = await openServiceWorld({ durable: true });
});
afterAll(() => shared?.world.close());

test.each([
  ["is restarted", false],
  ["drops dead and recovers", true],
])(
  "while the database %s callers see 503 and retry; nobody is charged for nothing",
  async (_how, isCrash) => {
    const summary = await runOutage({ seed: 8453, seconds: 2, payers: 3, awayMs: 700, isCrash, shared });
    expect(summary.violations).toEqual([]);
    expect(summary.chargedAfter402).toBe(0);
    expect(summary.charges).toBe(summary.settled);
    // Callers were refused because of the outage, with a payment or before it, though a busy machine may say so only after it.
    const { during, after } = summary.seen;
    const refusals = [during, after]
      .flatMap(({ unpaid, paid }) => [unpaid, paid])
      .flatMap((tally) => Object.keys(tally.toJSON()).filter((sight) => sight.startsWith("503 ")));
    expect(refusals).not.toEqual([]);
    expect(after.paid.of("200")).toBeGreaterThan(0);
  },
  90_000,
);
