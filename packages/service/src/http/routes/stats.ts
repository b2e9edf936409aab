import type { Stats } from "@assay/protocol";
import type { Context } from "hono";
import type { BaseContext } from "../../base/context.js";
import { readStats, STATS_REUSE_SECONDS } from "../../market/readStats.js";
import type { Database } from "../../store/database.js";
import { clientAddress } from "../clientAddress.js";

/** GET /api/v1/capabilities/stats: thirty days, without anyone's name. */
export function createStatsRoute(context: BaseContext): (c: Context) => Promise<Response> {
  const recall = createStatsMemory(context.database);
  return async (c) => {
    await context.limits.consume("stats", clientAddress(c));
    const { stats, ageSeconds } = await recall();
    c.header("cache-control", `public, max-age=${STATS_REUSE_SECONDS}`);
    // RFC 9111, section 5.1: a cache on the way counts from when we computed it, not from when it passed by.
    c.header("age", String(ageSeconds));
    return c.json(stats);
  };
}

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
