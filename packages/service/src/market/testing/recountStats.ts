import type { Queryable } from "../../store/database.js";

// A second opinion on the rollups: the same figures counted from the calls themselves, slowly. $1 are the simulated
// wallets.

const settledCalls = `
  calls AS (
    SELECT invocation_id, capability_id, payer, actual_status, price_micro_usd, credit_micro_usd,
      payer = ANY($1) AS is_simulated, (settled_at AT TIME ZONE 'UTC')::date AS day,
      ceil(extract(epoch FROM settled_at - created_at) * 1000)::bigint AS ms
    FROM invocations WHERE state = 'settled'),
  wallets AS (
    SELECT payer, is_simulated, min(day) AS first_day, max(day) AS last_day FROM calls GROUP BY payer, is_simulated),
  returns AS (
    SELECT w.payer, bool_or(true) AS has_returned, bool_or(c.credit_micro_usd = 0) AS has_returned_at_full_price
    FROM calls c JOIN wallets w USING (payer) WHERE c.day > w.first_day GROUP BY w.payer),
  known AS (
    SELECT payer AS wallet, is_simulated, first_day, last_day, coalesce(has_returned, false) AS has_returned,
      coalesce(has_returned_at_full_price, false) AS has_returned_at_full_price
    FROM wallets LEFT JOIN returns USING (payer))`;

/** Upper bounds in milliseconds, each inside its bucket. */
const DURATION_BOUNDS =
  "ARRAY[50, 100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 51200, 102400, 2147483647]::bigint[]";

/** Each rollup as it must be. When a call failed is not recorded, so failures are compared without their day. */
export const recounts = {
  stats_days: {
    columns:
      "day, is_simulated, capability_id, settled, hits, partials, misses, paid_micro_usd, credit_micro_usd, dividend_micro_usd",
    text: `WITH ${settledCalls}
           SELECT day, is_simulated, capability_id, count(*), count(*) FILTER (WHERE actual_status = 'hit'),
             count(*) FILTER (WHERE actual_status = 'partial'), count(*) FILTER (WHERE actual_status = 'miss'),
             sum(price_micro_usd)::bigint, sum(credit_micro_usd)::bigint,
             coalesce(sum(e.amount_micro_usd), 0)::bigint
           FROM calls c LEFT JOIN credit_entries e ON e.cause = 'dividend:' || c.invocation_id GROUP BY 1, 2, 3`,
  },
  stats_durations: {
    columns: "day, is_simulated, upper_ms, calls",
    text: `WITH ${settledCalls}
           SELECT day, is_simulated, (${DURATION_BOUNDS})[1 + width_bucket(ms - 1, ${DURATION_BOUNDS})]::integer,
             count(*)
           FROM calls GROUP BY 1, 2, 3`,
  },
  stats_wallets: {
    columns: "wallet, is_simulated, first_day, last_day, has_returned, has_returned_at_full_price",
    text: `WITH ${settledCalls} SELECT * FROM known`,
  },
  stats_last_days: {
    columns: "day, is_simulated, wallets",
    text: `WITH ${settledCalls} SELECT last_day, is_simulated, count(*) FROM known GROUP BY 1, 2`,
  },
  stats_cohorts: {
    columns: "first_day, is_simulated, wallets, returned, returned_at_full_price",
    text: `WITH ${settledCalls}
           SELECT first_day, is_simulated, count(*), count(*) FILTER (WHERE has_returned),
             count(*) FILTER (WHERE has_returned_at_full_price)
           FROM known GROUP BY 1, 2`,
  },
} as const;

/** One sentence for each row of a rollup that a recount does not find, and the other way round. */
export async function listStatsFaults(db: Queryable, simulatedWallets: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [table, { columns, text }] of Object.entries(recounts)) {
    const empty =
      table === "stats_last_days" ? "WHERE wallets > 0" : table === "stats_days" ? "WHERE settled > 0" : "";
    const rows = await db.query<{ where: string; row: string }>({
      text: `WITH kept AS (SELECT ${columns} FROM ${table} ${empty}), counted (${columns}) AS (${text})
             SELECT 'kept' AS where, k::text AS row FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted) k
             UNION ALL
             SELECT 'counted', c::text FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept) c`,
      values: [simulatedWallets],
    });
    faults.push(...rows.map(({ where, row }) => `${table}: only ${where}: ${row}`));
  }
  const failures = await db.query<{
    capability_id: string;
    is_simulated: boolean;
    kept: bigint;
    counted: bigint;
  }>({
    text: `SELECT * FROM
             (SELECT capability_id, is_simulated, sum(failed)::bigint AS kept FROM stats_days WHERE failed > 0 GROUP BY 1, 2) k
             FULL JOIN
             (SELECT capability_id, payer = ANY($1) AS is_simulated, count(*) AS counted FROM invocations
              WHERE state = 'failed' GROUP BY 1, 2) c USING (capability_id, is_simulated)
           WHERE kept IS DISTINCT FROM counted`,
    values: [simulatedWallets],
  });
  for (const { capability_id, kept, counted } of failures)
    faults.push(`stats_days: ${kept} failures of ${capability_id} kept, ${counted} counted`);
  return faults;
}
