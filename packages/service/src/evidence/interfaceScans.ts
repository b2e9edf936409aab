import type { Hex } from "@assay/protocol";
import type { Database, Queryable } from "../store/database.js";

/** Name and version of what scans bytecode. Another version may find other selectors, so its scans are not reused. */
export const SELECTOR_SCANNER = "evmole 0.8.4";

/** The function selectors in a piece of bytecode. */
export interface InterfaceScan {
  /** keccak256 of the code. */
  readonly codeHash: Hex;
  readonly scanner: string;
  readonly selectors: readonly Hex[];
}

/** What a settled call has left for this code, at whatever address it stood. */
export function findInterfaceScan(database: Database, codeHash: Hex): Promise<readonly Hex[] | undefined> {
  return database.gather("interfaceScan", codeHash, async (codeHashes) => {
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
