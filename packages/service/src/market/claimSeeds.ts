import type { Queryable } from "../store/database.js";
import type { SeedClaim } from "./listSeedClaims.js";
import { ATTESTATION_PAUSE_MS } from "./seederTerms.js";

/** Inserts the rows that are missing, without an owner, so that they can be locked; each is claimed in this transaction. */
export async function openSeeds(tx: Queryable, claims: readonly SeedClaim[]): Promise<void> {
  if (claims.length === 0) return;
  await tx.query({
    name: "seeds_open",
    text: `INSERT INTO seeds (input_hash, capability_id, wallet, source, cap_micro_usd, seeded_at, fresh_until)
           SELECT input_hash, capability_id, '', 'invocation', 0, '-infinity', '-infinity'
           FROM unnest($1::text[], $2::text[]) AS c (input_hash, capability_id) ORDER BY input_hash
           ON CONFLICT (input_hash) DO NOTHING`,
    values: [claims.map(({ inputHash }) => inputHash), claims.map(({ capabilityId }) => capabilityId)],
  });
}

/** A seed that now belongs to its claimant. */
export interface ClaimedSeed {
  readonly inputHash: string;
  readonly wallet: string;
}

/**
 * Gives to their claimants the seeds that are past their time, or that name other code than the newest fingerprint and
 * the claim do: an answer that was computed earlier and settles later must not replace a newer one. The caller has
 * locked them.
 */
export async function claimSeeds(tx: Queryable, claims: readonly SeedClaim[]): Promise<ClaimedSeed[]> {
  if (claims.length === 0) return [];
  const given = claims.map((claim) => ({
    input_hash: claim.inputHash,
    wallet: claim.wallet,
    address: claim.address,
    code_hash: claim.codeHash,
    cap_micro_usd: String(claim.capMicroUsd),
    attested_cap_micro_usd: String(claim.attestedCapMicroUsd),
    fresh_until_ms: claim.freshUntilMs,
  }));
  return tx.query<ClaimedSeed>({
    name: "seeds_claim",
    text: `UPDATE seeds s
           SET wallet = c.wallet, source = 'invocation', code_hash = c.code_hash, earned_micro_usd = 0, seeded_at = now(),
             fresh_until = to_timestamp(c.fresh_until_ms / 1000.0),
             cap_micro_usd = CASE WHEN p.passed_with_code > 0
                 AND coalesce(p.last_failed_at <= now() - ($2::bigint * interval '1 millisecond'), true)
               THEN c.attested_cap_micro_usd ELSE c.cap_micro_usd END
           FROM json_to_recordset($1) AS c (input_hash text, wallet text, address text, code_hash text,
             cap_micro_usd bigint, attested_cap_micro_usd bigint, fresh_until_ms numeric)
           LEFT JOIN publishers p ON p.wallet = c.wallet
           LEFT JOIN fingerprints f ON f.address = c.address
           WHERE s.input_hash = c.input_hash AND (s.fresh_until <= now()
             OR (s.code_hash IS DISTINCT FROM c.code_hash AND f.code_hash IS NOT DISTINCT FROM c.code_hash))
           RETURNING s.input_hash AS "inputHash", s.wallet`,
    values: [JSON.stringify(given), ATTESTATION_PAUSE_MS],
  });
}
