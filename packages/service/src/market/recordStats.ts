import type { CreditMove } from "../credits/ledger.js";
import type { Queryable, Transaction } from "../store/database.js";
import { inOrder } from "../store/inOrder.js";
import type { SettledCall } from "./settledCall.js";

/** Upper bounds of the buckets of durations in milliseconds; the last holds everything longer. */
export const DURATION_BOUNDS_MS = [
  ...Array.from({ length: 12 }, (_, doublings) => 50 * 2 ** doublings),
  2_147_483_647,
] as const;

/** As ISO 8601 writes it, in UTC. */
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/**
 * Adds settled calls to the rollups, in the transaction that settles them; `moves` is the credit they caused. Everyone
 * who settles writes the same few rows, so this comes late, just before the log. Rows are taken in the order of their
 * keys: wallets, days of last calls, cohorts, days, durations.
 */
export async function recordStats(
  tx: Transaction,
  calls: readonly SettledCall[],
  moves: readonly CreditMove[],
  isSimulated: (wallet: string) => boolean,
): Promise<void> {
  const [first] = calls;
  if (!first) return;
  const day = dayOf(first.settledAt);
  const byCause = new Map(moves.map(({ cause, amountMicroUsd }) => [cause, amountMicroUsd]));
  const given = calls.map((call) => ({
    wallet: call.payer,
    is_simulated: isSimulated(call.payer),
    capability_id: call.capabilityId,
    status: call.actualStatus,
    artifact: call.artifactId,
    paid: String(call.priceMicroUsd),
    credit: String(call.creditMicroUsd),
    dividend: String(byCause.get(`dividend:${call.invocationId}`) ?? 0n),
    upper_ms: DURATION_BOUNDS_MS.find((bound) => call.tookMs <= bound),
  }));
  const values = [JSON.stringify(given), day];
  await inOrder(tx, [
    // Not counted yet: the next statement does that, under a lock and in one order with the others.
    (tx) =>
      tx.query({
        name: "stats_wallets_open",
        text: `INSERT INTO stats_wallets (wallet, is_simulated, first_day, last_day)
               SELECT DISTINCT wallet, is_simulated, $2::date, '-infinity'::date
               FROM json_to_recordset($1) AS g (wallet text, is_simulated boolean) ORDER BY wallet
               ON CONFLICT (wallet) DO NOTHING`,
        values,
      }),
    (tx) => tx.query({ name: "stats_wallets_count", text: COUNT_WALLETS, values }),
    (tx) => tx.query({ name: "stats_calls_count", text: COUNT_CALLS, values }),
  ]);
}

const COUNT_WALLETS = `
  WITH given AS (
    SELECT wallet, bool_or(credit = 0) AS is_full_price
    FROM json_to_recordset($1) AS g (wallet text, credit bigint) GROUP BY wallet),
  locked AS MATERIALIZED (
    SELECT w.*, w.last_day = '-infinity' AS is_new, w.last_day < $2::date AS is_moved,
      w.first_day < $2::date AS is_return, w.first_day < $2::date AND g.is_full_price AS is_full_return
    FROM stats_wallets w JOIN given g USING (wallet)
    WHERE w.last_day < $2::date
      OR (w.first_day < $2::date AND g.is_full_price AND NOT w.has_returned_at_full_price)
    ORDER BY w.wallet FOR UPDATE OF w),
  seen AS (
    UPDATE stats_wallets w SET last_day = greatest(l.last_day, $2::date), has_returned = l.has_returned OR l.is_return,
      has_returned_at_full_price = l.has_returned_at_full_price OR l.is_full_return
    FROM locked l WHERE w.wallet = l.wallet),
  leaving AS MATERIALIZED (
    SELECT d.day, d.is_simulated, l.wallets
    FROM stats_last_days d JOIN (
      SELECT last_day AS day, is_simulated, count(*) AS wallets FROM locked WHERE is_moved AND NOT is_new GROUP BY 1, 2) l
      USING (day, is_simulated)
    ORDER BY d.day, d.is_simulated FOR UPDATE OF d),
  left_behind AS (
    UPDATE stats_last_days d SET wallets = d.wallets - l.wallets
    FROM leaving l WHERE d.day = l.day AND d.is_simulated = l.is_simulated),
  arrived AS (
    INSERT INTO stats_last_days (day, is_simulated, wallets)
    SELECT $2::date, is_simulated, count(*) FROM locked WHERE is_moved
    GROUP BY is_simulated ORDER BY is_simulated
    ON CONFLICT (day, is_simulated) DO UPDATE SET wallets = stats_last_days.wallets + excluded.wallets)
  INSERT INTO stats_cohorts (first_day, is_simulated, wallets, returned, returned_at_full_price)
  SELECT first_day, is_simulated, count(*) FILTER (WHERE is_new),
    count(*) FILTER (WHERE is_return AND NOT has_returned),
    count(*) FILTER (WHERE is_full_return AND NOT has_returned_at_full_price)
  FROM locked GROUP BY first_day, is_simulated ORDER BY first_day, is_simulated
  ON CONFLICT (first_day, is_simulated) DO UPDATE SET wallets = stats_cohorts.wallets + excluded.wallets,
    returned = stats_cohorts.returned + excluded.returned,
    returned_at_full_price = stats_cohorts.returned_at_full_price + excluded.returned_at_full_price`;

const COUNT_CALLS = `
  WITH given AS (
    SELECT g.*, a.verdict FROM json_to_recordset($1) AS g (is_simulated boolean, capability_id text, status text,
      artifact text, paid bigint, credit bigint, dividend bigint, upper_ms integer)
    LEFT JOIN artifacts a ON a.artifact_id = g.artifact),
  counted AS (
    INSERT INTO stats_days AS d (day, is_simulated, capability_id, settled, hits, partials, misses, paid_micro_usd,
      credit_micro_usd, dividend_micro_usd, allowed, reviewed, blocked)
    SELECT $2::date, is_simulated, capability_id, count(*), count(*) FILTER (WHERE status = 'hit'),
      count(*) FILTER (WHERE status = 'partial'), count(*) FILTER (WHERE status = 'miss'), sum(paid), sum(credit),
      sum(dividend), count(*) FILTER (WHERE verdict = 'allow'), count(*) FILTER (WHERE verdict = 'review'),
      count(*) FILTER (WHERE verdict = 'block')
    FROM given GROUP BY is_simulated, capability_id ORDER BY is_simulated, capability_id
    ON CONFLICT (day, is_simulated, capability_id) DO UPDATE SET settled = d.settled + excluded.settled,
      hits = d.hits + excluded.hits, partials = d.partials + excluded.partials, misses = d.misses + excluded.misses,
      paid_micro_usd = d.paid_micro_usd + excluded.paid_micro_usd,
      credit_micro_usd = d.credit_micro_usd + excluded.credit_micro_usd,
      dividend_micro_usd = d.dividend_micro_usd + excluded.dividend_micro_usd, allowed = d.allowed + excluded.allowed,
      reviewed = d.reviewed + excluded.reviewed, blocked = d.blocked + excluded.blocked)
  INSERT INTO stats_durations AS d (day, is_simulated, upper_ms, calls)
  SELECT $2::date, is_simulated, upper_ms, count(*) FROM given
  GROUP BY is_simulated, upper_ms ORDER BY is_simulated, upper_ms
  ON CONFLICT (day, is_simulated, upper_ms) DO UPDATE SET calls = d.calls + excluded.calls`;

/** A call that was not paid for, though its answer was ready. Locks as `recordStats` does: after credits, before the log. */
export async function recordFailure(
  tx: Queryable,
  capabilityId: string,
  isSimulated: boolean,
): Promise<void> {
  await tx.query({
    name: "stats_failure_count",
    text: `INSERT INTO stats_days (day, is_simulated, capability_id, failed)
           VALUES ((now() AT TIME ZONE 'UTC')::date, $1, $2, 1)
           ON CONFLICT (day, is_simulated, capability_id) DO UPDATE SET failed = stats_days.failed + 1`,
    values: [isSimulated, capabilityId],
  });
}
