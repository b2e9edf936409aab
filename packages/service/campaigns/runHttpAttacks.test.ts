import { expect, inject, test } from "vitest";
import { runHttpAttacks } from "./runHttpAttacks.js";

// Attackers and honest callers need addresses of their own, which other systems do not have by themselves.
test.skipIf(process.platform !== "linux")(
  "connections that read nothing and headers that never end take little memory",
  async () => {
    const { figures } = await runHttpAttacks({
      seed: 8453,
      seconds: 1,
      connections: 200,
      rounds: 1,
      attacks: ["pipelining", "slowHeaders"],
      postgresUrl: inject("postgresUrl"),
    });
    for (const { attack, grownMb, openedConnections, refused, refusedNeighbour } of figures) {
      expect([attack, refused, refusedNeighbour]).toEqual([attack, 0, 0]);
      expect(openedConnections).toBeGreaterThan(1);
      expect(grownMb).toBeLessThanOrEqual(100);
    }
  },
  60_000,
);
