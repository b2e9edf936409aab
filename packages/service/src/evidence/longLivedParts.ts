import type { LongLivedPart } from "@assay/capabilities";
import type { Hex } from "@assay/protocol";
import type { Database, Queryable } from "../store/database.js";
import { FINGERPRINT_TTL_MS } from "./fingerprints.js";
import { findInterfaceScan } from "./interfaceScans.js";

export interface CodeSubject {
  readonly address: Hex;
  /** keccak256 of the code; null for an account without code. */
  readonly codeHash: Hex | null;
}

/**
 * Whether somebody's settled call has left this part for the same code, at this address or at any other. Of fingerprints,
 * those count that were part of a paid answer of one of `coveredBy`.
 */
export async function isPartPaid(
  database: Database,
  part: LongLivedPart,
  { address, codeHash }: CodeSubject,
  coveredBy: readonly string[],
): Promise<boolean> {
  if (part === "fingerprint") {
    const subject = { address, codeHash, coveredBy };
    return database.batch("paidCode", subject, (subjects) => checkFingerprints(database, subjects));
  }
  return codeHash !== null && (await findInterfaceScan(database, codeHash)) !== undefined;
}

async function checkFingerprints(
  database: Database,
  subjects: readonly (CodeSubject & { readonly coveredBy: readonly string[] })[],
): Promise<readonly boolean[]> {
  const known = await database.query<{ position: bigint }>({
    name: "fingerprints_paid",
    text: `SELECT s.position
           FROM ROWS FROM (json_to_recordset($1) AS (address text, "codeHash" text, "coveredBy" text[]))
             WITH ORDINALITY AS s (address, code_hash, covered_by, position)
           WHERE EXISTS (
             SELECT FROM paid_fingerprints f
             WHERE (f.code_hash = s.code_hash OR (f.address = s.address AND f.code_hash IS NULL AND s.code_hash IS NULL))
               AND f.capability_id = ANY(s.covered_by)
               AND f.paid_at > now() - ($2::bigint * interval '1 millisecond'))`,
    values: [JSON.stringify(subjects), FINGERPRINT_TTL_MS],
  });
  const positions = new Set(known.map(({ position }) => Number(position)));
  return subjects.map((_, index) => positions.has(index + 1));
}

/** A capability and an address whose fingerprint was part of its paid answer. */
export interface PaidPart {
  readonly capabilityId: string;
  readonly address: string;
}

/** The newest first. */
export async function listPaidParts(
  db: Queryable,
  limit: number,
): Promise<(PaidPart & { readonly untilMs: number })[]> {
  const rows = await db.query<{ capability_id: string; address: string; paid_at: Date }>({
    text: `SELECT capability_id, address, paid_at FROM paid_fingerprints
           WHERE paid_at > now() - ($1::bigint * interval '1 millisecond') ORDER BY paid_at DESC LIMIT $2`,
    values: [FINGERPRINT_TTL_MS, limit],
  });
  return rows.map(({ capability_id, address, paid_at }) => ({
    capabilityId: capability_id,
    address,
    untilMs: paid_at.getTime() + FINGERPRINT_TTL_MS,
  }));
}
