import { type CreditMove, issueMove } from "../credits/ledger.js";
import type { Queryable } from "../store/database.js";
import { PLEDGE_CREDIT_CAP_MICRO_USD, PLEDGE_CREDIT_PCT } from "./creditTerms.js";
import type { SettledCall } from "./settledCall.js";

/** Credit for each wallet's first settled call of a capability that was begun after the wallet pledged for it. */
export async function honourPledges(tx: Queryable, calls: readonly SettledCall[]): Promise<CreditMove[]> {
  if (calls.length === 0) return [];
  const rows = await tx.query<{ wallet: string; capability: string; credit_micro_usd: bigint }>({
    name: "pledges_honour",
    text: `WITH first AS MATERIALIZED (
             SELECT DISTINCT ON (p.wallet, p.capability) p.wallet, p.capability, i.invocation_id, i.price_micro_usd
             FROM invocations i JOIN pledges p
               ON p.wallet = i.payer AND p.capability = i.capability_id AND p.pledged_at < i.created_at
             WHERE i.invocation_id = ANY($1) AND p.invocation_id IS NULL
             ORDER BY p.wallet, p.capability, i.created_at, i.invocation_id),
           locked AS MATERIALIZED (
             SELECT p.wallet, p.capability FROM pledges p JOIN first USING (wallet, capability)
             WHERE p.invocation_id IS NULL ORDER BY p.wallet, p.capability FOR UPDATE OF p),
           honoured AS (
             UPDATE pledges p SET invocation_id = f.invocation_id,
               credit_micro_usd = least(f.price_micro_usd * $2::bigint / 100, $3::bigint)
             FROM locked JOIN first f USING (wallet, capability)
             WHERE p.wallet = f.wallet AND p.capability = f.capability
             RETURNING p.wallet, p.capability, p.credit_micro_usd),
           counted AS (
             INSERT INTO asked_capabilities (capability, pledges_honoured)
             SELECT capability, count(*) FROM honoured GROUP BY capability ORDER BY capability
             ON CONFLICT (capability) DO UPDATE
               SET pledges_honoured = asked_capabilities.pledges_honoured + excluded.pledges_honoured)
           SELECT wallet, capability, credit_micro_usd FROM honoured`,
    values: [calls.map(({ invocationId }) => invocationId), PLEDGE_CREDIT_PCT, PLEDGE_CREDIT_CAP_MICRO_USD],
  });
  return rows
    .filter(({ credit_micro_usd }) => credit_micro_usd > 0n)
    .map(({ wallet, capability, credit_micro_usd }) =>
      issueMove(wallet, "pledge", `${wallet}:${capability}`, credit_micro_usd),
    );
}
