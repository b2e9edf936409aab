import type { ArtifactRecord, InterfaceScan, Observation } from "@assay/capabilities";
import type { Queryable } from "../store/database.js";
import type { Fingerprint } from "./fingerprints.js";
import { FRESHNESS_CHANNEL } from "./freshness.js";

/** What a settled call makes public. */
export interface PublishedAnswer {
  readonly artifact: ArtifactRecord;
  readonly fingerprint: Fingerprint | null;
  /** Kept by `recordObservations`. */
  readonly observation: Observation | null;
  /** Kept by `storeInterfaceScans`; left out when no code was scanned. */
  readonly scans?: readonly InterfaceScan[];
}

/**
 * Shares the answers of settled calls: the artifacts, the bytecode seen on the way (an older observation never
 * replaces a newer one) and that it is paid for, and a notification to every process once the surrounding transaction commits. All of it is
 * read from `responses.effects`, a `PublishedAnswer` or null, so that only the ids are sent.
 */
export async function publishAnswers(tx: Queryable, invocationIds: readonly string[]): Promise<void> {
  if (invocationIds.length === 0) return;
  await tx.query({
    name: "answers_publish",
    text: `WITH given AS (
             SELECT r.invocation_id, a.*, f.*
             FROM responses r,
               json_to_record(r.effects->'artifact') AS a ("artifactId" text, "capabilityId" text, "capabilityVersion" text,
                 "inputHash" text, input json, verdict text, block json, "validUntilBlock" bigint, "freshUntilMs" numeric),
               json_to_record(coalesce(nullif(r.effects->>'fingerprint', 'null'), '{}')::json)
                 AS f (address text, "codeHash" text, "bytecodeBytes" integer)
             WHERE r.invocation_id = ANY($1) AND json_typeof(r.effects) = 'object'),
           shared AS (
             INSERT INTO artifacts (artifact_id, capability_id, capability_version, input_hash, input, verdict,
               invocation_id, block_number, block_hash, block_timestamp, valid_until_block, fresh_until)
             SELECT "artifactId", "capabilityId", "capabilityVersion", "inputHash", input, verdict, invocation_id,
               (block->>'number')::bigint, block->>'hash', (block->>'timestamp')::bigint, "validUntilBlock",
               to_timestamp("freshUntilMs" / 1000.0)
             FROM given ORDER BY "artifactId"
             ON CONFLICT (artifact_id) DO NOTHING),
           seen AS (
             INSERT INTO fingerprints (address, code_hash, bytecode_bytes, computed_at_block)
             SELECT DISTINCT ON (address) address, "codeHash", "bytecodeBytes", (block->>'number')::bigint
             FROM given WHERE address IS NOT NULL ORDER BY address, (block->>'number')::bigint DESC
             ON CONFLICT (address) DO UPDATE
               SET code_hash = excluded.code_hash, bytecode_bytes = excluded.bytecode_bytes,
                   computed_at_block = excluded.computed_at_block, observed_at = now()
               WHERE fingerprints.computed_at_block <= excluded.computed_at_block),
           paid AS (
             INSERT INTO paid_fingerprints AS p (address, capability_id, code_hash, computed_at_block)
             SELECT DISTINCT ON (address, "capabilityId") address, "capabilityId", "codeHash", (block->>'number')::bigint
             FROM given WHERE address IS NOT NULL ORDER BY address, "capabilityId", (block->>'number')::bigint DESC
             ON CONFLICT (address, capability_id) DO UPDATE
               SET code_hash = excluded.code_hash, computed_at_block = excluded.computed_at_block, paid_at = now()
               WHERE p.computed_at_block <= excluded.computed_at_block)
           SELECT pg_notify($2, json_build_object('inputHash', "inputHash", 'fromBlock', (block->>'number')::bigint,
             'validUntilBlock', "validUntilBlock", 'freshUntilMs', "freshUntilMs",
             'paidPart', CASE WHEN address IS NOT NULL THEN
               json_build_object('capabilityId', "capabilityId", 'address', address) END)::text)
           FROM given`,
    values: [invocationIds, FRESHNESS_CHANNEL],
  });
}
