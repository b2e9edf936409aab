import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openServiceWorld, type ServiceWorld } from "./campaignWorld.js";
import { runHttpAttacks } from "./runHttpAttacks.js";
import { runMemory } from "./runMemory.js";

// What one process holds, in the short form of two campaigns.
let shared: ServiceWorld;
beforeAll(async () => {
  shared = await openServiceWorld({ postgresUrl: inject("postgresUrl") });
});
afterAll(() => shared?.world.close());

// First, because it weighs a service that has done nothing yet.
test("resident memory is weighed on the way, stays under the limit and grows little", async () => {
  const summary = await runMemory({
    seed: 8453,
    paidCalls: 24,
    unpaidCalls: 400,
    unpaidSeconds: 20,
    shared,
  });
  expect(summary.violations).toEqual([]);
  expect(summary.residentAtStartMb).toBeGreaterThan(30);
  expect(summary.paid).toHaveLength(8);
  // With few calls the limit is far away. What a service may need to get going is a quarter of this.
  const grownMb = (summary.unpaid.at(-1)?.residentMb ?? Number.POSITIVE_INFINITY) - summary.residentAtStartMb;
  expect(grownMb).toBeLessThanOrEqual(100);
}, 60_000);

// Attackers and honest callers need addresses of their own, which other systems do not have by themselves.
test.skipIf(process.platform !== "linux")(
  "connections that read nothing and headers that never end take little memory",
  async () => {
    const { figures } = await runHttpAttacks({
      seed: 8453,
      seconds: 0.7,
      connections: 200,
      rounds: 1,
      attacks: ["pipelining", "slowHeaders"],
      shared,
    });
    for (const { attack, grownMb, openedConnections, refused, refusedNeighbour } of figures) {
      expect([attack, refused, refusedNeighbour]).toEqual([attack, 0, 0]);
      expect(openedConnections).toBeGreaterThan(1);
      expect(grownMb).toBeLessThanOrEqual(100);
    }
  },
  60_000,
);
