import { type Stats, type Traffic, usdFromMicro } from "@assay/protocol";
import type { Queryable } from "../store/database.js";
import { DURATION_BOUNDS_MS } from "./recordStats.js";

const WINDOW_DAYS = 30;
const DAY_MS = 86_400_000;
/** How long an answer about thirty days may be given again. */
export const STATS_REUSE_SECONDS = 30;
/** Bound of the last bucket, which holds every duration longer than the one before. */
const UNBOUNDED_MS = DURATION_BOUNDS_MS.at(-1);

/** Sums of `stats_days`: over one day, over one capability, or over everything where both are null. Money is text. */
interface CallsRow {
  readonly is_simulated: boolean;
  readonly day: string | null;
  readonly capability_id: string | null;
  readonly settled: number;
  readonly failed: number;
  readonly hits: number;
  readonly partials: number;
  readonly misses: number;
  readonly paid: string;
  readonly credit: string;
  readonly dividend: string;
}

interface DurationsRow {
  readonly is_simulated: boolean;
  readonly upper_ms: number;
  readonly calls: number;
}

interface CohortsRow {
  readonly is_simulated: boolean;
  readonly wallets: number;
  readonly wallets_before_last_day: number;
  readonly returned: number;
  readonly returned_at_full_price: number;
}

interface RollupSums {
  readonly calls: readonly CallsRow[];
  readonly durations: readonly DurationsRow[];
  readonly cohorts: readonly CohortsRow[];
  readonly payers: readonly { readonly is_simulated: boolean; readonly wallets: number }[];
}

/**
 * What the last thirty days, today included, add up to. It reads rollups of days and never the calls, so its cost
 * grows with the catalog and not with the traffic. A wallet that paid in the window made its last call in it, which is
 * why wallets are counted by the day of their last call.
 */
export async function readStats(db: Queryable, now: Date): Promise<Stats> {
  const days = Array.from({ length: WINDOW_DAYS }, (_, place) =>
    dayOf(now.getTime() - (WINDOW_DAYS - 1 - place) * DAY_MS),
  );
  const [from, to] = [days[0] as string, days[WINDOW_DAYS - 1] as string];
  const [sums] = await db.query<RollupSums>({
    name: "stats_read",
    text: `SELECT
      (SELECT coalesce(json_agg(c), '[]') FROM (
        SELECT is_simulated, day, capability_id, sum(settled) AS settled, sum(failed) AS failed, sum(hits) AS hits,
          sum(partials) AS partials, sum(misses) AS misses, sum(paid_micro_usd)::text AS paid,
          sum(credit_micro_usd)::text AS credit, sum(dividend_micro_usd)::text AS dividend
        FROM stats_days WHERE day BETWEEN $1 AND $2
        GROUP BY is_simulated, GROUPING SETS ((day), (capability_id), ())) c) AS calls,
      (SELECT coalesce(json_agg(d ORDER BY upper_ms), '[]') FROM (
        SELECT is_simulated, upper_ms, sum(calls) AS calls FROM stats_durations
        WHERE day BETWEEN $1 AND $2 GROUP BY is_simulated, upper_ms) d) AS durations,
      (SELECT coalesce(json_agg(h), '[]') FROM (
        SELECT is_simulated, sum(wallets) AS wallets,
          coalesce(sum(wallets) FILTER (WHERE first_day < $2), 0) AS wallets_before_last_day,
          sum(returned) AS returned, sum(returned_at_full_price) AS returned_at_full_price
        FROM stats_cohorts WHERE first_day BETWEEN $1 AND $2 GROUP BY is_simulated) h) AS cohorts,
      (SELECT coalesce(json_agg(p), '[]') FROM (
        SELECT is_simulated, sum(wallets) AS wallets FROM stats_last_days
        WHERE day BETWEEN $1 AND $2 GROUP BY is_simulated) p) AS payers`,
    values: [from, to],
  });
  const describe = (isSimulated: boolean) => describeTraffic(sums as RollupSums, isSimulated, days);
  return {
    windowDays: WINDOW_DAYS,
    from,
    to,
    computedAt: now.toISOString(),
    cachedForSeconds: STATS_REUSE_SECONDS,
    agents: describe(false),
    simulated: describe(true),
    note:
      "Days are UTC and the last one is today. Rates are null where there is nothing to divide by. " +
      "Traffic of a local chain and of the operator's own wallets is counted under simulated only.",
  };
}

/** As ISO 8601 writes it, in UTC. */
const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
const usd = (microUsd: string | undefined) => usdFromMicro(BigInt(microUsd ?? 0));
const rate = (part: number, whole: number) => (whole === 0 ? null : part / whole);

function describeTraffic(sums: RollupSums, isSimulated: boolean, days: readonly string[]): Traffic {
  const isOurs = (row: { readonly is_simulated: boolean }) => row.is_simulated === isSimulated;
  const calls = sums.calls.filter(isOurs);
  const total = calls.find((row) => row.day === null && row.capability_id === null);
  const { settled = 0, failed = 0, hits = 0, partials = 0, misses = 0 } = total ?? {};
  return {
    settledInvocations: settled,
    failedInvocations: failed,
    uniquePayingAgents: sums.payers.find(isOurs)?.wallets ?? 0,
    paidUsd: usd(total?.paid),
    creditAppliedUsd: usd(total?.credit),
    reuse: { hits, partials, misses, reuseRate: rate(hits + partials, hits + partials + misses) },
    reuseDividendCreditsUsd: usd(total?.dividend),
    retention: describeRetention(sums.cohorts.find(isOurs)),
    reliability: {
      successRate: rate(settled, settled + failed),
      ...describeDurations(sums.durations.filter(isOurs)),
    },
    byCapability: calls
      .flatMap(({ capability_id: capabilityId, ...row }) =>
        capabilityId === null || row.settled === 0 ? [] : [{ capabilityId, ...describeReuse(row) }],
      )
      .sort(
        (a, b) =>
          b.settledInvocations - a.settledInvocations || a.capabilityId.localeCompare(b.capabilityId, "en"),
      ),
    byDay: days.map((day) => {
      const row = calls.find((found) => found.day === day);
      return {
        day,
        settledInvocations: row?.settled ?? 0,
        paidUsd: usd(row?.paid),
        reuses: (row?.hits ?? 0) + (row?.partials ?? 0),
      };
    }),
  };
}

const describeReuse = ({ settled, paid, hits, partials, misses }: Omit<CallsRow, "capability_id">) => ({
  settledInvocations: settled,
  paidUsd: usd(paid),
  hits,
  partials,
  misses,
});

function describeRetention(cohorts: CohortsRow | undefined): Traffic["retention"] {
  const { wallets = 0, wallets_before_last_day: before = 0, returned = 0 } = cohorts ?? {};
  const repeats = cohorts?.returned_at_full_price ?? 0;
  return {
    newAgents: wallets,
    newAgentsBeforeLastDay: before,
    returnedOnLaterDay: returned,
    returnRate: rate(returned, before),
    fullPriceSecondDayRepeats: repeats,
    fullPriceSecondDayRepeatRate: rate(repeats, before),
  };
}

/** Each percentile is the bound of the first bucket that reaches it; rows come in the order of their bounds. */
function describeDurations(rows: readonly DurationsRow[]) {
  const measured = rows.reduce((sum, { calls }) => sum + calls, 0);
  const percentile = (percent: number) => {
    let reached = 0;
    const bucket = rows.find(({ calls }) => {
      reached += calls;
      return reached * 100 >= measured * percent;
    });
    return bucket === undefined || bucket.upper_ms === UNBOUNDED_MS ? null : bucket.upper_ms;
  };
  return { p50Ms: percentile(50), p90Ms: percentile(90), p99Ms: percentile(99) };
}

/**
 * Days that no window reaches any more, with ten to spare. `stats_wallets` stays whole: without the first day of a
 * wallet, one that comes back after months would be counted as new.
 */
export async function deleteOldStats(db: Queryable): Promise<void> {
  const isOld = (day: string) => `${day} < (now() AT TIME ZONE 'UTC')::date - 40`;
  await db.query({
    text: `WITH old_durations AS (DELETE FROM stats_durations WHERE ${isOld("day")}),
                old_last_days AS (DELETE FROM stats_last_days WHERE ${isOld("day")}),
                old_cohorts AS (DELETE FROM stats_cohorts WHERE ${isOld("first_day")})
           DELETE FROM stats_days WHERE ${isOld("day")}`,
  });
}
