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
    const summary = await runOutage({ seed: 8453, seconds: 2, payers: 5, awayMs: 700, isCrash, shared });
    expect(summary.violations).toEqual([]);
    expect(summary.chargedAfter402).toBe(0);
    expect(summary.charges).toBe(summary.settled);
    // Calls failed because of the outage, though a busy machine may say so only after it, and succeeded after it.
    const { during, after } = summary.seen;
    const refused = [during, after].map(({ paid }) => paid.of("503 database_unavailable"));
    expect(Math.max(...refused)).toBeGreaterThan(0);
    expect(after.paid.of("200")).toBeGreaterThan(0);
  },
  90_000,
);
