import type { Hex } from "@assay/protocol";
import type { Database, Queryable } from "../store/database.js";

/** A fingerprint stands for 30 days, or until the code hash on chain differs. */
export const FINGERPRINT_TTL_MS = 30 * 24 * 3600 * 1000;

export interface Fingerprint {
  readonly address: Hex;
  /** keccak256 of the code; null for an account without code. */
  readonly codeHash: Hex | null;
  readonly bytecodeBytes: number;
  readonly computedAtBlock: number;
}

export function findFreshFingerprint(database: Database, address: string): Promise<Fingerprint | undefined> {
  return database.batch("fingerprint", address, async (addresses) => {
    const rows = await database.query<FingerprintRow>({
      name: "fingerprint_fresh",
      text: `SELECT address, code_hash, bytecode_bytes, computed_at_block FROM fingerprints
             WHERE address = ANY($1) AND observed_at > now() - ($2::bigint * interval '1 millisecond')`,
      values: [addresses, FINGERPRINT_TTL_MS],
    });
    const byAddress = new Map(rows.map((row) => [row.address as string, row]));
    return addresses.map((one) => {
      const row = byAddress.get(one);
      return (
        row && {
          address: row.address,
          codeHash: row.code_hash,
          bytecodeBytes: row.bytecode_bytes,
          computedAtBlock: Number(row.computed_at_block),
        }
      );
    });
  });
}

/** Stores a fingerprint. False when a fresh one of other code, seen at a newer block, is stored already. */
export async function claimFingerprint(tx: Queryable, fingerprint: Fingerprint): Promise<boolean> {
  const { address, codeHash, bytecodeBytes, computedAtBlock } = fingerprint;
  const claimed = await tx.query({
    name: "fingerprint_claim",
    text: `INSERT INTO fingerprints (address, code_hash, bytecode_bytes, computed_at_block) VALUES ($1, $2, $3, $4)
           ON CONFLICT (address) DO UPDATE
             SET code_hash = excluded.code_hash, bytecode_bytes = excluded.bytecode_bytes,
                 computed_at_block = greatest(fingerprints.computed_at_block, excluded.computed_at_block), observed_at = now()
             WHERE fingerprints.observed_at <= now() - ($5::bigint * interval '1 millisecond')
               OR fingerprints.code_hash IS NOT DISTINCT FROM excluded.code_hash
               OR fingerprints.computed_at_block <= excluded.computed_at_block
           RETURNING address`,
    values: [address, codeHash, bytecodeBytes, computedAtBlock, FINGERPRINT_TTL_MS],
  });
  return claimed.length === 1;
}

interface FingerprintRow {
  address: Hex;
  code_hash: Hex | null;
  bytecode_bytes: number;
  computed_at_block: bigint;
}
