import { AssayError, type ClaimDetail, type ClaimFeed, type ClaimRecord, type Hex } from "@assay/protocol";
import type { BaseContext } from "../base/context.js";
import type { Queryable } from "../store/database.js";
import { listChallenges } from "./challengeRecords.js";
import { CLAIM_COLUMNS, type ClaimRow, describeClaim } from "./claimRecords.js";
import { surviveIfDue } from "./markSurvivedClaims.js";

const notes = {
  enabled:
    "Claims and obligations that may be challenged now, the newest first. A challenge is free, signed, and decided by the chain alone.",
  feature_gated: "The list is switched off here. Each claim is public all the same, at its own address.",
} as const;

/** The claims that may be challenged now. */
export async function listOpenClaims({ database, settings }: BaseContext, limit: number): Promise<ClaimFeed> {
  const { claimsFeed: listFeed, publicUrl } = settings;
  const rows =
    listFeed === "enabled"
      ? await database.query<ClaimRow>({
          name: "claims_open",
          text: `SELECT ${CLAIM_COLUMNS} FROM claims WHERE status = 'open' AND deadline > now()
                 ORDER BY opened_at DESC, claim_id LIMIT $1`,
          values: [limit],
        })
      : [];
  return { listFeed, note: notes[listFeed], claims: rows.map((row) => describeClaim(publicUrl, row)) };
}

/** Claims that were proven false or survived, the newest decision first. */
export async function listResolvedClaims(
  db: Queryable,
  publicUrl: string,
  limit: number,
): Promise<ClaimRecord[]> {
  const rows = await db.query<ClaimRow>({
    name: "claims_resolved",
    text: `SELECT ${CLAIM_COLUMNS} FROM claims WHERE status <> 'open' ORDER BY resolved_at DESC, claim_id LIMIT $1`,
    values: [limit],
  });
  return rows.map((row) => describeClaim(publicUrl, row));
}

/** Further challenges are counted, but not shown. */
const MAX_CHALLENGES = 100;

/** A claim, with the newest challenges to it. Throws `not_found`. */
export async function getClaimDetail(
  { database, settings }: BaseContext,
  claimId: Hex,
): Promise<ClaimDetail> {
  const first = await getRow(database, claimId);
  if (first.is_due) await surviveIfDue(database, claimId);
  const row = first.is_due ? await getRow(database, claimId) : first;
  return {
    ...describeClaim(settings.publicUrl, row),
    challenges: await listChallenges(database, claimId, MAX_CHALLENGES),
    challengesTotal: Number(row.challenges_total),
    winner: row.winner,
  };
}

interface DetailRow extends ClaimRow {
  /** Whether its deadline has passed and that is not recorded yet. */
  is_due: boolean;
  challenges_total: bigint;
  winner: Hex | null;
}

async function getRow(db: Queryable, claimId: Hex): Promise<DetailRow> {
  const [row] = await db.query<DetailRow>({
    name: "claim_detail",
    text: `SELECT ${CLAIM_COLUMNS}, status = 'open' AND deadline <= now() AS is_due,
             (SELECT count(*) FROM challenges h WHERE h.claim_id = c.claim_id) AS challenges_total,
             (SELECT h.wallet FROM challenges h WHERE h.challenge_id = c.challenge_id) AS winner
           FROM claims c WHERE claim_id = $1`,
    values: [claimId],
  });
  if (!row) throw new AssayError("not_found", "No claim has that id.");
  return row;
}

/** The stored bytes of a claim's receipt, and their hash. Throws `not_found`, also where a claim has none. */
export async function getClaimReceipt(
  db: Queryable,
  claimId: Hex,
): Promise<{ readonly bytes: Buffer; readonly survivalHash: Hex }> {
  const [row] = await db.query<{ receipt: Buffer | null; survival_hash: Hex | null }>({
    name: "claim_receipt",
    text: "SELECT receipt, survival_hash FROM claims WHERE claim_id = $1",
    values: [claimId],
  });
  if (!row) throw new AssayError("not_found", "No claim has that id.");
  if (!row.receipt || !row.survival_hash)
    throw new AssayError("not_found", "This claim has no receipt: that it survives would mean nothing.");
  return { bytes: row.receipt, survivalHash: row.survival_hash };
}
