import { type ClaimStatus, type Hex, NETWORK } from "@assay/protocol";
import type { Leaf } from "../log/appendLeaves.js";
import type { Queryable } from "../store/database.js";

/** A claim that has just been resolved, with the columns of `RESOLVED_COLUMNS`. */
export interface ResolvedRow {
  claim_id: Hex;
  status: Exclude<ClaimStatus, "open">;
  resolved_at: Date;
  challenge_id: string | null;
  survival_hash: Hex | null;
}

export const RESOLVED_COLUMNS = "claim_id, status, resolved_at, challenge_id, survival_hash";

/** The log entry of a claim's end, public for ever. */
export const verdictLeaf = (row: ResolvedRow): Leaf => ({
  kind: "verdict",
  subject: row.claim_id,
  content: {
    claimId: row.claim_id,
    network: NETWORK,
    status: row.status,
    resolvedAt: row.resolved_at.toISOString(),
    challengeId: row.challenge_id,
    survivalHash: row.survival_hash,
  },
});

/** Undefined when the claim is no longer open. Of several counterexamples at once, only one succeeds. */
export async function falsifyClaim(
  tx: Queryable,
  claimId: Hex,
  challengeId: string,
): Promise<ResolvedRow | undefined> {
  const [row] = await tx.query<ResolvedRow>({
    name: "claim_falsify",
    text: `UPDATE claims SET status = 'falsified', resolved_at = now(), challenge_id = $2
           WHERE claim_id = $1 AND status = 'open' AND deadline > now() RETURNING ${RESOLVED_COLUMNS}`,
    values: [claimId, challengeId],
  });
  return row;
}

/** Undefined unless the claim's deadline has passed and that was not recorded yet. */
export async function surviveClaim(tx: Queryable, claimId: Hex): Promise<ResolvedRow | undefined> {
  const [row] = await tx.query<ResolvedRow>({
    name: "claim_survive",
    text: `UPDATE claims SET status = 'survived', resolved_at = now()
           WHERE claim_id = $1 AND status = 'open' AND deadline <= now() RETURNING ${RESOLVED_COLUMNS}`,
    values: [claimId],
  });
  return row;
}

/** Locks an open claim until the transaction ends; false when it is no longer open. */
export async function holdOpen(tx: Queryable, claimId: Hex): Promise<boolean> {
  const rows = await tx.query({
    name: "claim_hold_open",
    text: "SELECT 1 FROM claims WHERE claim_id = $1 AND status = 'open' AND deadline > now() FOR SHARE",
    values: [claimId],
  });
  return rows.length > 0;
}
