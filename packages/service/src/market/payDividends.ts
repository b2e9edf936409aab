import { FINGERPRINT_TTL_MS } from "../evidence/fingerprints.js";
import type { Queryable } from "../store/database.js";
import { DIVIDEND_PCT } from "./creditTerms.js";
import type { SettledCall } from "./settledCall.js";

export interface Dividend {
  readonly invocationId: string;
  readonly seeder: string;
  readonly amountMicroUsd: bigint;
  /** Set where nobody had paid before to use what the seeder published; the time is exact as text only. */
  readonly firstUseOf: { readonly wallet: string; readonly publishedAt: string } | null;
}

/** A call that was answered, in whole or in part, from somebody's earlier work. */
export type ReusingCall = SettledCall & { readonly reusedInputHash: string };
export const isReuse = (call: SettledCall): call is ReusingCall => call.reusedInputHash !== null;

/**
 * What the seeders of reused inputs are owed, counted against the caps of their seeds, which the caller has locked. A
 * seed counts if it was fresh when the answer was given: settling may take longer than an answer lives. The running sum
 * holds the cap inside a batch too; of the share that reaches it, the rest is due. The first use of a publication gives its
 * seed the whole life of a fingerprint, unless it has ended.
 */
export async function payDividends(tx: Queryable, reuses: readonly ReusingCall[]): Promise<Dividend[]> {
  if (reuses.length === 0) return [];
  const given = reuses.map(({ invocationId, reusedInputHash, computed }) => ({
    invocation_id: invocationId,
    input_hash: reusedInputHash,
    is_computed: computed !== null,
    code_hash: computed?.codeHash ?? null,
  }));
  const rows = await tx.query<DividendRow>({
    name: "dividends_pay",
    // Each row is found by its key: a join of tables that are still small would read the calls whole, although most calls owe nothing.
    text: `WITH owned AS MATERIALIZED (
             SELECT g.invocation_id, s.*
             FROM json_to_recordset($1) AS g (invocation_id text, input_hash text, is_computed boolean, code_hash text)
             CROSS JOIN LATERAL (
               SELECT * FROM seeds s WHERE s.input_hash = g.input_hash AND s.seeded_at > '-infinity'
                 AND (NOT g.is_computed OR s.code_hash IS NOT DISTINCT FROM g.code_hash) LIMIT 1) s),
           reused AS (
             SELECT o.*, i.payer, i.computed_at, i.price_micro_usd * $2::bigint / 100 AS share
             FROM owned o CROSS JOIN LATERAL (
               SELECT * FROM invocations i WHERE i.invocation_id = o.invocation_id LIMIT 1) i),
           shares AS (
             SELECT invocation_id, input_hash, share, wallet, cap_micro_usd - earned_micro_usd AS room,
               CASE WHEN source = 'publication' AND earned_micro_usd = 0 THEN seeded_at END AS published_at,
               sum(share) OVER (PARTITION BY input_hash ORDER BY computed_at, invocation_id) AS running
             FROM reused
             WHERE share > 0 AND wallet <> payer AND seeded_at <= computed_at AND computed_at < fresh_until),
           due AS MATERIALIZED (
             SELECT invocation_id, input_hash, wallet, published_at,
               (least(running, room) - least(running - share, room))::bigint AS amount
             FROM shares WHERE running - share < room),
           earned AS (
             UPDATE seeds s SET earned_micro_usd = s.earned_micro_usd + d.amount,
               fresh_until = CASE WHEN d.published_at IS NULL OR s.fresh_until <= now() THEN s.fresh_until
                 ELSE greatest(s.fresh_until, d.published_at + ($3::bigint * interval '1 millisecond')) END
             FROM (SELECT input_hash, sum(amount) AS amount, max(published_at) AS published_at
                   FROM due GROUP BY input_hash) d
             WHERE s.input_hash = d.input_hash)
           SELECT invocation_id, wallet AS seeder, amount AS amount_micro_usd, published_at::text FROM due`,
    values: [JSON.stringify(given), DIVIDEND_PCT, FINGERPRINT_TTL_MS],
  });
  return rows.map(({ invocation_id, seeder, amount_micro_usd, published_at }) => ({
    invocationId: invocation_id,
    seeder,
    amountMicroUsd: amount_micro_usd,
    firstUseOf: published_at === null ? null : { wallet: seeder, publishedAt: published_at },
  }));
}

interface DividendRow {
  invocation_id: string;
  seeder: string;
  amount_micro_usd: bigint;
  published_at: string | null;
}
