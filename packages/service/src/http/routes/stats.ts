import { type Stats, statsSchema } from "@assay/protocol";
import type { BaseContext } from "../../base/context.js";
import { readStats, STATS_REUSE_SECONDS } from "../../market/readStats.js";
import type { Database } from "../../store/database.js";
import { defineRoute } from "../route.js";

export const stats = defineRoute({
  operation: {
    id: "getCapabilityStats",
    method: "get",
    path: "/api/v1/capabilities/stats",
    tag: "discovery",
    summary: "Thirty days of traffic in figures, without anyone's name",
    description:
      "Settled calls, revenue, reuse, retention and reliability, in total, by capability and by day. Simulated traffic is counted apart.",
    answers: {
      200: {
        description: "Computed at most every 30 seconds.",
        schema: statsSchema,
        headers: ["Cache-Control", "Age"],
      },
    },
    problems: ["rate_limited", "database_unavailable"],
  },
  budget: "stats",
  createHandler: ({ database }: BaseContext) => {
    const recall = createStatsMemory(database);
    return async (c) => {
      const { stats, ageSeconds } = await recall();
      c.header("cache-control", `public, max-age=${STATS_REUSE_SECONDS}`);
      // RFC 9111, section 5.1: a cache on the way counts from when we computed it, not from when it passed by.
      c.header("age", String(ageSeconds));
      return c.json(stats);
    };
  },
});

/** Reads once per process and period, however many ask meanwhile. A failure is not remembered. */
export function createStatsMemory(
  database: Database,
): () => Promise<{ readonly stats: Stats; readonly ageSeconds: number }> {
  let latest: { readonly atMs: number; readonly stats: Promise<Stats> } | undefined;
  return async () => {
    // Monotonic: a clock that is set back must not keep an answer alive.
    const nowMs = performance.now();
    if (!latest || nowMs - latest.atMs >= STATS_REUSE_SECONDS * 1000) {
      const asked = { atMs: nowMs, stats: readStats(database, new Date()) };
      asked.stats.catch(() => {
        if (latest === asked) latest = undefined;
      });
      latest = asked;
    }
    const { atMs, stats } = latest;
    return { stats: await stats, ageSeconds: Math.floor((nowMs - atMs) / 1000) };
  };
}
