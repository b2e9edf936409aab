import type { Queryable } from "../store/database.js";
import type { ArtifactRecord } from "./artifacts.js";
import type { Fingerprint } from "./fingerprints.js";
import { FRESHNESS_CHANNEL, freshnessOf } from "./freshness.js";

/** What a settled call makes public. */
export interface PublishedAnswer {
  readonly artifact: ArtifactRecord;
  readonly fingerprint: Fingerprint | null;
}

/**
 * Shares an answer: the artifact, the bytecode seen on the way (an older observation never
 * replaces a newer one), and word to every process once the surrounding transaction commits.
 */
export async function publishAnswer(
  tx: Queryable,
  invocationId: string,
  { artifact, fingerprint }: PublishedAnswer,
): Promise<void> {
  await tx.query({
    name: "answer_publish",
    text: `WITH shared AS (
             INSERT INTO artifacts (artifact_id, capability_id, capability_version, input_hash, input, verdict, invocation_id,
               block_number, block_hash, block_timestamp, valid_until_block, fresh_until)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, to_timestamp($12 / 1000.0))
             ON CONFLICT (artifact_id) DO NOTHING),
           seen AS (
             INSERT INTO fingerprints (address, code_hash, bytecode_bytes, computed_at_block)
             SELECT $13, $14, $15, $8 WHERE $13::text IS NOT NULL
             ON CONFLICT (address) DO UPDATE
               SET code_hash = excluded.code_hash, bytecode_bytes = excluded.bytecode_bytes,
                   computed_at_block = excluded.computed_at_block, observed_at = now()
               WHERE fingerprints.computed_at_block <= excluded.computed_at_block)
           SELECT pg_notify($16, $17)`,
    values: [
      artifact.artifactId,
      artifact.capabilityId,
      artifact.capabilityVersion,
      artifact.inputHash,
      JSON.stringify(artifact.input),
      artifact.verdict,
      invocationId,
      artifact.block.number,
      artifact.block.hash,
      artifact.block.timestamp,
      artifact.validUntilBlock,
      artifact.freshUntilMs,
      fingerprint?.address ?? null,
      fingerprint?.codeHash ?? null,
      fingerprint?.bytecodeBytes ?? null,
      FRESHNESS_CHANNEL,
      JSON.stringify(freshnessOf(artifact, fingerprint?.address ?? null)),
    ],
  });
}
