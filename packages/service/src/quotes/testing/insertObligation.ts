import type { Queryable } from "../../store/database.js";

/** An obligation of this id: obligation.verdict is not quoted for what is none. */
export async function insertObligation(db: Queryable, claimId: string): Promise<void> {
  await db.query({
    text: `INSERT INTO claims (claim_id, kind, type, canonical, address, from_block, to_block, opener, reward_micro_usd,
             deadline, opened_at_block)
           VALUES ($1, 'obligation', 'upgrade_window', '', '', 1, 2, '', 0, now() + interval '1 hour', 2)`,
    values: [claimId],
  });
}
