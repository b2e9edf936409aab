import type { ObligationRecord, RecordedObligation } from "@assay/capabilities";
import { AssayError, claimReceiptSchema, type Hex } from "@assay/protocol";
import { CLAIM_COLUMNS, type ClaimRow, describeClaim } from "../claims/claimRecords.js";
import type { Queryable } from "../store/database.js";

const unknown = () => new AssayError("not_found", "No published obligation has that id.");

/** Throws `not_found`, also for a claim that was opened by a wallet and not by the service. */
export async function verifyObligation(db: Queryable, obligationId: string): Promise<void> {
  const rows = await db.query({
    name: "obligation_exists",
    text: "SELECT FROM claims WHERE claim_id = $1 AND kind = 'obligation'",
    values: [obligationId],
  });
  if (rows.length === 0) throw unknown();
}

/** Throws `not_found`. */
export async function getObligation(
  db: Queryable,
  publicUrl: string,
  obligationId: Hex,
): Promise<ObligationRecord> {
  const [row] = await db.query<ClaimRow & { receipt: string | null; challenges_total: bigint }>({
    name: "obligation_get",
    text: `SELECT ${CLAIM_COLUMNS}, convert_from(receipt, 'UTF8') AS receipt,
             (SELECT count(*) FROM challenges h WHERE h.claim_id = c.claim_id) AS challenges_total
           FROM claims c WHERE claim_id = $1 AND kind = 'obligation'`,
    values: [obligationId],
  });
  if (!row) throw unknown();
  const record = describeClaim(publicUrl, row);
  const { claimId, claim, status, survivalHash, openedAtBlock, receiptUrl, logIndex } = record;
  return {
    claim,
    readings: {
      claimId,
      claim,
      claimStatus: status,
      openedAtMs: row.opened_at.getTime(),
      openedAtBlock,
      survivalHash,
      receipt: row.receipt === null ? null : readReceipt(row.receipt),
      receiptUri: receiptUrl,
      logIndex,
    },
    challengesTotal: Number(row.challenges_total),
  };
}

/** What the receipt adds to the claim that it repeats. */
function readReceipt(text: string): RecordedObligation["receipt"] {
  const { fromBlockHash, toBlockHash, implementationAtToBlock } = claimReceiptSchema.parse(JSON.parse(text));
  return { fromBlockHash, toBlockHash, implementationAtToBlock };
}
