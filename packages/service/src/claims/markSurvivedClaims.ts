import type { Hex } from "@assay/protocol";
import type { BaseContext } from "../base/context.js";
import { appendLeaves, UNRECORDED } from "../log/appendLeaves.js";
import type { Database } from "../store/database.js";
import { RESOLVED_COLUMNS, type ResolvedRow, surviveClaim, verdictLeaf } from "./resolveClaim.js";

/**
 * Records that open claims whose deadline has passed have survived. Rows that another process is working on are left to
 * it, so any number of processes may run this. Each end is one leaf, in the same transaction. Returns the number of claims.
 */
export function markSurvivedClaims({ database, failpoints }: BaseContext, limit: number): Promise<number> {
  return database.transaction(async (tx) => {
    const rows = await tx.query<ResolvedRow>({
      name: "claims_survive",
      text: `WITH due AS MATERIALIZED (
               SELECT claim_id FROM claims WHERE status = 'open' AND deadline <= now()
               ORDER BY deadline, claim_id LIMIT $1 FOR UPDATE SKIP LOCKED)
             UPDATE claims SET status = 'survived', resolved_at = now()
             WHERE claim_id IN (SELECT claim_id FROM due) AND status = 'open' RETURNING ${RESOLVED_COLUMNS}`,
      values: [limit],
    });
    await appendLeaves(tx, rows.map(verdictLeaf), UNRECORDED);
    if (rows.length > 0) failpoints.reach("inside_survived");
    return rows.length;
  });
}

/** The same for one claim that is being read. */
export function surviveIfDue(database: Database, claimId: Hex): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await surviveClaim(tx, claimId);
    if (row) await appendLeaves(tx, [verdictLeaf(row)], UNRECORDED);
  });
}
