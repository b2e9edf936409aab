import { SELECTOR_SCANNER } from "@assay/capabilities";
import type { Hex } from "@assay/protocol";
import type { Database, Queryable } from "../store/database.js";

/** The selectors that a settled call found in this code, at any address. */
export function findInterfaceScan(database: Database, codeHash: Hex): Promise<readonly Hex[] | undefined> {
  return database.batch("interfaceScan", codeHash, async (codeHashes) => {
    const rows = await database.query<{ code_hash: string; selectors: Hex[] }>({
      name: "interface_scans_find",
      text: "SELECT code_hash, selectors FROM interface_scans WHERE code_hash = ANY($1) AND scanner = $2",
      values: [[...new Set(codeHashes)], SELECTOR_SCANNER],
    });
    const byHash = new Map(rows.map((row) => [row.code_hash, row.selectors]));
    return codeHashes.map((one) => byHash.get(one));
  });
}

/** Keeps what settled calls scanned, from `responses.effects`, in the settling transaction. */
export async function storeInterfaceScans(tx: Queryable, invocationIds: readonly string[]): Promise<void> {
  if (invocationIds.length === 0) return;
  await tx.query({
    name: "interface_scans_store",
    text: `INSERT INTO interface_scans (code_hash, scanner, selectors)
           SELECT s."codeHash", s.scanner, s.selectors
           FROM responses r,
             json_to_recordset(coalesce(r.effects->'scans', '[]')) AS s ("codeHash" text, scanner text, selectors text[])
           WHERE r.invocation_id = ANY($1) AND json_typeof(r.effects) = 'object'
           ORDER BY s."codeHash", s.scanner
           ON CONFLICT (code_hash, scanner) DO NOTHING`,
    values: [invocationIds],
  });
}
