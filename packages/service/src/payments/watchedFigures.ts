import type { WatchedGauges } from "../base/metrics.js";
import type { Database } from "../store/database.js";
import type { Facilitator } from "./facilitator.js";
import { countWaiting } from "./recovery/recoveredPayments.js";

/** The states that a call leaves by itself; one that stays in them needs somebody. */
const OPEN_STATES = ["reserved", "settling", "unknown"] as const;
const WEI_PER_ETHER = 1e18;

interface OpenRow {
  readonly state: string;
  readonly calls: string;
  readonly seconds: number;
}
interface SalesRow {
  readonly capability_id: string;
  readonly hits: string;
  readonly partials: string;
  readonly misses: string;
  readonly paid: string;
}
interface QueueRow {
  readonly queue: string;
  readonly seconds: number;
}
interface PlaceRow {
  readonly bytes: string;
  readonly is_faulty: boolean;
  readonly unclaimed: string;
  readonly seconds: number;
}

/** Calls under way, from an index that holds no others; sales, from the rollups: no reading grows with the calls ever made. */
export async function setDatabaseGauges(database: Database, gauges: WatchedGauges): Promise<void> {
  const [open, sales, place, queues, lost] = await Promise.all([
    database.query<OpenRow>({
      name: "watch_open_calls",
      text: `SELECT state, count(*) AS calls, extract(epoch FROM now() - min(created_at))::float8 AS seconds
             FROM invocations WHERE state IN ('reserved', 'settling', 'unknown') GROUP BY state`,
    }),
    database.query<SalesRow>({
      name: "watch_sales",
      text: `SELECT capability_id, sum(hits) AS hits, sum(partials) AS partials, sum(misses) AS misses,
               sum(paid_micro_usd) AS paid
             FROM stats_days GROUP BY capability_id`,
    }),
    database.query<PlaceRow>({
      name: "watch_place",
      text: `SELECT pg_database_size(current_database()) AS bytes, (SELECT fault IS NOT NULL FROM log_audit) AS is_faulty, coalesce(sum(charged - claimed), 0) AS unclaimed,
               coalesce(extract(epoch FROM now() - min(unclaimed_since)), 0)::float8 AS seconds
             FROM channels WHERE unclaimed_since IS NOT NULL`,
    }),
    database.query<QueueRow>({
      name: "watch_queues",
      text: `SELECT queue, coalesce(extract(epoch FROM now() - since), 0)::float8 AS seconds FROM (
               SELECT 'finality' AS queue, min(settled_at) AS since FROM unfinal_settlements JOIN invocations USING (invocation_id)
               WHERE state = 'settled'
               UNION ALL SELECT 'breadcrumbs', min(opened_at) FROM claims WHERE breadcrumb IN ('due', 'sending')
               UNION ALL SELECT 'restoration', min(restored_at) FROM restorations WHERE finished_at IS NULL) waiting`,
    }),
    countWaiting(database),
  ]);
  for (const state of OPEN_STATES) {
    const row = open.find((one) => one.state === state);
    gauges.openCalls.set({ state }, Number(row?.calls ?? 0));
    gauges.openCallAge.set({ state }, row?.seconds ?? 0);
  }
  for (const { capability_id: capability, hits, partials, misses, paid } of sales) {
    gauges.soldCalls.set({ capability, status: "hit" }, Number(hits));
    gauges.soldCalls.set({ capability, status: "partial" }, Number(partials));
    gauges.soldCalls.set({ capability, status: "miss" }, Number(misses));
    gauges.revenue.set({ capability }, Number(paid) / 1e6);
  }
  for (const { queue, seconds } of queues) gauges.queueAge.set({ queue }, seconds);
  gauges.lostPayments.set(lost);
  const [one] = place;
  if (!one) return;
  gauges.databaseBytes.set(Number(one.bytes));
  gauges.logFault.set(one.is_faulty ? 1 : 0);
  // The token has six decimals and a unit is a dollar.
  gauges.unclaimed.set(Number(one.unclaimed) / 1e6);
  gauges.unclaimedAge.set(one.seconds);
}

/** By the place of each key in SETTLER_PRIVATE_KEY: metrics name no address. */
export async function setSettlerGauges(facilitator: Facilitator, gauges: WatchedGauges): Promise<void> {
  const settlers = (await facilitator.listSettlers?.()) ?? [];
  for (const { balanceWei, settlementsLeft, place } of settlers) {
    const settler = String(place);
    gauges.settlerBalance.set({ settler }, Number(balanceWei) / WEI_PER_ETHER);
    gauges.settlementsLeft.set({ settler }, Number(settlementsLeft));
  }
}
