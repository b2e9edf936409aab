import type { CacheStatus, PaymentPayload } from "@assay/protocol";
import type { ClaimEffects } from "../claims/claimRecords.js";
import type { PublishedAnswer } from "../evidence/publishAnswers.js";
import type { Database } from "../store/database.js";
import { SETTLE_LEASE_SECONDS } from "./holdLease.js";
import type { Invocation } from "./invocations.js";
import { BODY_PLACES, joinBodies, type StoredBody, selectBodies } from "./joinBodies.js";

/** What a payment buys, stored before the money moves: the bytes for this buyer, and what their sale causes. */
export interface OwedAnswer extends StoredBody {
  readonly actualStatus: CacheStatus;
  readonly resultHash: string;
  /** Null where nothing was sold that could be shared or kept as evidence. */
  readonly artifactId: string | null;
  /** Of a private answer: its verdict for the record of the wallet that pays, sealed by `sealedOutcome.ts`. */
  readonly sealedOutcome: Buffer | null;
  /** Applied when the payment settles. */
  readonly effects: PublishedAnswer | ClaimEffects | null;
}

/**
 * reserved → settling, storing the exact bytes owed; committed before anyone is asked to move money. Where money
 * may have moved already, straight to unknown, with the reason. False when this attempt lost its lease.
 */
export function storeAnswer(
  database: Database,
  { invocationId, attempt }: Invocation,
  { payload }: PaymentPayload,
  answer: OwedAnswer,
  unknownBecause: string | null,
): Promise<boolean> {
  const row = {
    invocation_id: invocationId,
    attempt,
    state: unknownBecause === null ? "settling" : "unknown",
    failure: unknownBecause,
    actual_status: answer.actualStatus,
    result_hash: answer.resultHash,
    artifact_id: answer.artifactId,
    sealed_outcome: answer.sealedOutcome?.toString("base64") ?? null,
    effects: answer.effects,
    valid_after: payload.authorization.validAfter,
    signature: payload.signature,
  };
  return database.batch("answer", { row, answer }, async (items) => {
    const { bytes, places } = joinBodies(items.map(({ answer }) => answer));
    const rows = items.map(({ row }, at) => ({ ...row, ...places[at] }));
    const moved = await database.query<{ invocation_id: string }>({
      name: "invocation_answered",
      text: `WITH given AS (
               SELECT * FROM json_to_recordset($1) AS g (invocation_id text, attempt integer, state text, failure text,
                 actual_status text, result_hash text, artifact_id text, sealed_outcome text, effects json,
                 valid_after text, signature text, ${BODY_PLACES})),
             moved AS (
               UPDATE invocations i SET state = g.state, failure = g.failure, computed_at = now(),
                 lease_until = now() + ($2::int * interval '1 second'),
                 actual_status = g.actual_status, result_hash = g.result_hash, artifact_id = g.artifact_id,
                 sealed_outcome = decode(g.sealed_outcome, 'base64')
               FROM given g
               WHERE i.invocation_id = g.invocation_id AND i.attempt = g.attempt AND i.state = 'reserved'
               RETURNING i.invocation_id),
             kept AS (
               INSERT INTO unfinal_settlements (invocation_id, valid_after, signature)
               SELECT invocation_id, valid_after, signature FROM given JOIN moved USING (invocation_id)
               ON CONFLICT (invocation_id) DO UPDATE
                 SET valid_after = excluded.valid_after, signature = excluded.signature)
             INSERT INTO responses (invocation_id, body, packed_body, is_sealed, effects)
             SELECT invocation_id, ${selectBodies("$3")}, coalesce(g.effects, 'null')
             FROM given g JOIN moved USING (invocation_id)
             ON CONFLICT (invocation_id) DO UPDATE
               SET body = excluded.body, packed_body = excluded.packed_body, is_sealed = excluded.is_sealed, effects = excluded.effects
             RETURNING invocation_id`,
      values: [JSON.stringify(rows), SETTLE_LEASE_SECONDS, bytes],
    });
    const ids = new Set(moved.map(({ invocation_id }) => invocation_id));
    return rows.map(({ invocation_id }) => ids.has(invocation_id));
  });
}
