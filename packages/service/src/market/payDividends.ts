import type { Queryable } from "../store/database.js";
import { DIVIDEND_PCT } from "./creditTerms.js";
import type { SettledCall } from "./settledCall.js";

export interface Dividend {
  readonly invocationId: string;
  readonly seeder: string;
  readonly amountMicroUsd: bigint;
}

/** A call that was answered, in whole or in part, from somebody's earlier work. */
export type ReusingCall = SettledCall & { readonly reusedInputHash: string };
export const isReuse = (call: SettledCall): call is ReusingCall => call.reusedInputHash !== null;

/**
 * What the seeders of reused inputs are owed, counted against the caps of their seeds, which the caller has locked. A
 * seed counts if it was fresh when the answer was given: settling may take longer than an answer lives. The running sum
 * holds the cap inside a batch too; of the share that reaches it, the rest is due.
 */
export async function payDividends(tx: Queryable, reuses: readonly ReusingCall[]): Promise<Dividend[]> {
  if (reuses.length === 0) return [];
  const given = reuses.map(({ invocationId, reusedInputHash, computed }) => ({
    invocation_id: invocationId,
    input_hash: reusedInputHash,
    is_computed: computed !== null,
    code_hash: computed?.codeHash ?? null,
  }));
  const rows = await tx.query<{ invocation_id: string; seeder: string; amount_micro_usd: bigint }>({
    name: "dividends_pay",
    text: `WITH reused AS (
             SELECT i.invocation_id, g.input_hash, i.payer, i.computed_at, i.price_micro_usd * $2::bigint / 100 AS share,
               g.is_computed, g.code_hash
             FROM json_to_recordset($1) AS g (invocation_id text, input_hash text, is_computed boolean, code_hash text)
             JOIN invocations i USING (invocation_id)),
           shares AS (
             SELECT r.invocation_id, r.input_hash, r.share, s.wallet, s.cap_micro_usd - s.earned_micro_usd AS room,
               sum(r.share) OVER (PARTITION BY r.input_hash ORDER BY r.computed_at, r.invocation_id) AS running
             FROM reused r JOIN seeds s USING (input_hash)
             WHERE r.share > 0 AND s.wallet <> r.payer AND s.seeded_at <= r.computed_at AND r.computed_at < s.fresh_until
               AND (NOT r.is_computed OR s.code_hash IS NOT DISTINCT FROM r.code_hash)),
           due AS MATERIALIZED (
             SELECT invocation_id, input_hash, wallet,
               (least(running, room) - least(running - share, room))::bigint AS amount
             FROM shares WHERE running - share < room),
           earned AS (
             UPDATE seeds s SET earned_micro_usd = s.earned_micro_usd + d.amount
             FROM (SELECT input_hash, sum(amount) AS amount FROM due GROUP BY input_hash) d
             WHERE s.input_hash = d.input_hash)
           SELECT invocation_id, wallet AS seeder, amount AS amount_micro_usd FROM due`,
    values: [JSON.stringify(given), DIVIDEND_PCT],
  });
  return rows.map(({ invocation_id, seeder, amount_micro_usd }) => ({
    invocationId: invocation_id,
    seeder,
    amountMicroUsd: amount_micro_usd,
  }));
}
