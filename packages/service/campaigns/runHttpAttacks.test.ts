import { expect, inject, test } from "vitest";
import { runHttpAttacks } from "./runHttpAttacks.js";

test("connections that read nothing and headers that never end take little memory", async () => {
  const { figures } = await runHttpAttacks({
    seed: 8453,
    seconds: 2,
    connections: 500,
    rounds: 1,
    attacks: ["pipelining", "slowHeaders"],
    postgresUrl: inject("postgresUrl"),
  });
  for (const { attack, grownMb, openedConnections, refused } of figures) {
    expect([attack, refused]).toEqual([attack, 0]);
    expect(openedConnections).toBeGreaterThan(1);
    expect(grownMb).toBeLessThanOrEqual(100);
  }
}, 60_000);
