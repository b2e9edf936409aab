import type { LongLivedPart } from "@assay/capabilities";
import type { Hex } from "@assay/protocol";
import type { Database } from "../store/database.js";
import { FINGERPRINT_TTL_MS } from "./fingerprints.js";
import { findInterfaceScan } from "./interfaceScans.js";

export interface CodeSubject {
  readonly address: Hex;
  /** keccak256 of the code; null for an account without code. */
  readonly codeHash: Hex | null;
}

/** Whether somebody's settled call has left this part for the same code, at this address or at any other. */
export async function isPartKnown(
  database: Database,
  part: LongLivedPart,
  { address, codeHash }: CodeSubject,
): Promise<boolean> {
  if (part === "fingerprint") {
    const subject = { address, codeHash };
    return database.batch("knownCode", subject, (subjects) => checkFingerprints(database, subjects));
  }
  return codeHash !== null && (await findInterfaceScan(database, codeHash)) !== undefined;
}

async function checkFingerprints(
  database: Database,
  subjects: readonly CodeSubject[],
): Promise<readonly boolean[]> {
  const known = await database.query<{ position: bigint }>({
    name: "fingerprints_known",
    text: `SELECT s.position
           FROM ROWS FROM (json_to_recordset($1) AS (address text, "codeHash" text))
             WITH ORDINALITY AS s (address, code_hash, position)
           WHERE EXISTS (
             SELECT FROM fingerprints f
             WHERE (f.code_hash = s.code_hash OR (f.address = s.address AND f.code_hash IS NULL AND s.code_hash IS NULL))
               AND f.observed_at > now() - ($2::bigint * interval '1 millisecond'))`,
    values: [JSON.stringify(subjects), FINGERPRINT_TTL_MS],
  });
  const positions = new Set(known.map(({ position }) => Number(position)));
  return subjects.map((_, index) => positions.has(index + 1));
}
