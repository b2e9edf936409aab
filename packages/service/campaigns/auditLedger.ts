import type { Queryable } from "../src/store/database.js";

/** Conditions that no row may meet, each with what its count means. */
const impossible: Record<string, string> = {
  "accounts whose balance is not what their entries add up to": `
    SELECT count(*) FROM credit_balances b FULL JOIN (
      SELECT account, sum(change) AS change FROM (
        SELECT credit_account AS account, amount_micro_usd AS change FROM credit_entries
        UNION ALL SELECT debit_account, -amount_micro_usd FROM credit_entries) legs GROUP BY account) e USING (account)
    WHERE coalesce(b.balance_micro_usd, 0) <> coalesce(e.change, 0)`,
  "micro-USD by which all accounts together miss zero":
    "SELECT coalesce(abs(sum(balance_micro_usd)), 0) FROM credit_balances",
  "accounts below zero that issue nothing":
    "SELECT count(*) FROM credit_balances WHERE balance_micro_usd < 0 AND account NOT LIKE 'issue:%'",
  "issuing accounts above zero":
    "SELECT count(*) FROM credit_balances WHERE balance_micro_usd > 0 AND account LIKE 'issue:%'",
  "entries along a way that credit may not take": `
    SELECT count(*) FROM credit_entries
    WHERE (split_part(debit_account, ':', 1), split_part(credit_account, ':', 1)) NOT IN
      (('issue', 'wallet'), ('wallet', 'held'), ('held', 'redeemed'), ('held', 'wallet'))`,
  "holds given back to a wallet they did not come from": `
    SELECT count(*) FROM credit_entries back JOIN credit_entries hold
      ON hold.cause = 'hold:' || substr(back.debit_account, 6)
    WHERE back.cause LIKE 'release:%' AND back.credit_account <> hold.debit_account`,
  "causes with more than one entry":
    "SELECT count(*) FROM (SELECT FROM credit_entries GROUP BY cause HAVING count(*) > 1) twice",
  "entries without a leaf of their own in the log": `
    SELECT abs((SELECT count(*) FROM credit_entries) - (SELECT count(*) FROM log_leaves WHERE kind = 'credit'))`,
  "seeds that earned more than their cap":
    "SELECT count(*) FROM seeds WHERE earned_micro_usd > cap_micro_usd",
  // In a campaign, calls are answered before the round in which they settle, so `computed_at` shows whose seed was reused.
  "seeds that did not earn what was paid on them": `
    SELECT count(*) FROM seeds s WHERE s.earned_micro_usd <> coalesce((
      SELECT sum(e.amount_micro_usd) FROM invocations i JOIN credit_entries e ON e.cause = 'dividend:' || i.invocation_id
      WHERE i.input_hash = s.input_hash AND i.computed_at >= s.seeded_at), 0)`,
  "dividends without a settled reuse by another wallet than is paid": `
    SELECT count(*) FROM credit_entries e LEFT JOIN invocations i ON i.invocation_id = substr(e.cause, 10)
    WHERE e.cause LIKE 'dividend:%' AND (i.state IS DISTINCT FROM 'settled'
      OR NOT (i.actual_status = 'hit' OR i.capability_id = 'contract.guard')
      OR e.credit_account = 'wallet:' || i.payer OR e.amount_micro_usd > i.price_micro_usd / 5)`,
  "wallets with more than 0.05 USD for outcomes on one day": `
    SELECT count(*) FROM (
      SELECT FROM credit_entries WHERE cause LIKE 'review:%'
      GROUP BY credit_account, (created_at AT TIME ZONE 'utc')::date HAVING sum(amount_micro_usd) > 50000) days`,
  "outcome credits that differ from what the outcome says, or from its call": `
    SELECT count(*) FROM outcomes o JOIN invocations i USING (invocation_id)
      LEFT JOIN credit_entries e ON e.cause = 'review:' || o.invocation_id
    WHERE coalesce(e.amount_micro_usd, 0) <> o.review_credit_micro_usd OR i.state <> 'settled' OR i.payer <> o.wallet
      OR o.review_credit_micro_usd > least(i.price_micro_usd / 20, 5000)`,
  "days whose count of outcome credit is not what was credited": `
    SELECT count(*) FROM review_days d WHERE d.credited_micro_usd <> coalesce((
      SELECT sum(review_credit_micro_usd) FROM outcomes o
      WHERE o.wallet = d.wallet AND (o.reported_at AT TIME ZONE 'utc')::date = d.day), 0)`,
  "wallets credited more than once, or otherwise than recorded, for one pledge": `
    SELECT count(*) FROM pledges p FULL JOIN (
      SELECT cause, count(*) AS times, sum(amount_micro_usd) AS credited FROM credit_entries
      WHERE cause LIKE 'pledge:%' GROUP BY cause) e ON e.cause = 'pledge:' || p.wallet || ':' || p.capability
    WHERE e.times > 1 OR p.wallet IS NULL OR p.credit_micro_usd IS DISTINCT FROM e.credited`,
  "pledge credits beyond 10 % of the price, beyond 0.02 USD, or for a call that was begun before": `
    SELECT count(*) FROM pledges p JOIN invocations i USING (invocation_id)
    WHERE p.credit_micro_usd > least(i.price_micro_usd / 10, 20000) OR i.created_at <= p.pledged_at
      OR i.state <> 'settled' OR i.payer <> p.wallet OR i.capability_id <> p.capability`,
  "micro-USD held beyond, or short of, the credit of calls under way": `
    SELECT abs(coalesce((SELECT sum(balance_micro_usd) FROM credit_balances WHERE account LIKE 'held:%'), 0)
      - coalesce((SELECT sum(credit_micro_usd) FROM invocations WHERE state IN ('reserved', 'settling', 'unknown')), 0))`,
  "calls under way whose hold is not their credit": `
    SELECT count(*) FROM invocations i LEFT JOIN credit_balances b ON b.account = 'held:' || i.credit_hold
    WHERE i.state IN ('reserved', 'settling', 'unknown') AND coalesce(b.balance_micro_usd, 0) <> i.credit_micro_usd`,
  "micro-USD redeemed beyond, or short of, the credit of settled calls": `
    SELECT abs(coalesce((SELECT balance_micro_usd FROM credit_balances WHERE account = 'redeemed'), 0)
      - coalesce((SELECT sum(credit_micro_usd) FROM invocations WHERE state = 'settled'), 0))`,
  "publishers whose sums are not what their entries add up to": `
    SELECT count(*) FROM publishers p FULL JOIN (
      SELECT substr(credit_account, 8) AS wallet,
        coalesce(sum(amount_micro_usd) FILTER (WHERE cause LIKE 'dividend:%'), 0) AS dividends,
        coalesce(sum(amount_micro_usd) FILTER (WHERE cause LIKE 'review:%'), 0) AS reviews
      FROM credit_entries WHERE cause LIKE 'dividend:%' OR cause LIKE 'review:%' GROUP BY 1) e USING (wallet)
    WHERE coalesce(p.dividend_micro_usd, 0) <> coalesce(e.dividends, 0)
      OR coalesce(p.review_micro_usd, 0) <> coalesce(e.reviews, 0)`,
};

const RECOUNT = Object.entries(impossible)
  .map(([what, query]) => `SELECT '${what}' AS what, (${query})::bigint AS n`)
  .join("\nUNION ALL ");

/** Counts the books again from their rows alone. Returns a sentence for each violation. */
export async function auditLedger(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ what: string; n: bigint }>({
    text: `SELECT what, n FROM (${RECOUNT}) recount WHERE n <> 0`,
  });
  return rows.map(({ what, n }) => `${n} ${what}`);
}
