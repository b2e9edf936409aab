import type { CacheStatus, InvocationState } from "@assay/protocol";
import type { ClaimEffects } from "../claims/claimRecords.js";
import type { PublishedAnswer } from "../evidence/publishAnswer.js";
import type { Database, Queryable } from "../store/database.js";

/** A paid call from reservation to its end. States change only by the conditional updates below. */
export interface Invocation {
  readonly invocationId: string;
  readonly capabilityId: string;
  readonly capabilityVersion: string;
  readonly inputHash: string;
  readonly state: InvocationState;
  readonly attempt: number;
  readonly leaseUntilMs: number;
  readonly asset: string;
  readonly payer: string;
  readonly authorizationNonce: string;
  readonly paymentDigest: string;
  readonly payTo: string;
  readonly amount: bigint;
  /** Unix seconds. */
  readonly validBefore: bigint;
  readonly reservedAtBlock: number;
  readonly quoteId: string | null;
  readonly quotedStatus: CacheStatus;
  readonly actualStatus: CacheStatus | null;
  readonly listPriceMicroUsd: bigint;
  readonly creditMicroUsd: bigint;
  readonly priceMicroUsd: bigint;
  readonly creditHold: string | null;
  readonly resultHash: string | null;
  readonly artifactId: string | null;
  readonly transactionHash: string | null;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
  /** What the payer calls this purchase, if anything. */
  readonly paymentIdentifier: string | null;
  /** EIP-712 hash of the x402 receipt given out with the answer; null before settlement and for calls older than it. */
  readonly x402ReceiptHash: string | null;
  /** Index of its leaf in the transparency log. */
  readonly logIndex: number | null;
}

export interface InvocationRow {
  invocation_id: string;
  capability_id: string;
  capability_version: string;
  input_hash: string;
  state: InvocationState;
  attempt: number;
  lease_until: Date;
  asset: string;
  payer: string;
  authorization_nonce: string;
  payment_digest: string;
  pay_to: string;
  amount: bigint;
  valid_before: bigint;
  reserved_at_block: bigint;
  quote_id: string | null;
  quoted_status: CacheStatus;
  actual_status: CacheStatus | null;
  list_price_micro_usd: bigint;
  credit_micro_usd: bigint;
  price_micro_usd: bigint;
  credit_hold: string | null;
  result_hash: string | null;
  artifact_id: string | null;
  transaction_hash: string | null;
  failure: string | null;
  created_at: Date;
  settled_at: Date | null;
  payment_identifier: string | null;
  x402_receipt_hash: string | null;
  log_index: bigint | null;
}

export function invocationFromRow(row: InvocationRow): Invocation {
  return {
    invocationId: row.invocation_id,
    capabilityId: row.capability_id,
    capabilityVersion: row.capability_version,
    inputHash: row.input_hash,
    state: row.state,
    attempt: row.attempt,
    leaseUntilMs: row.lease_until.getTime(),
    asset: row.asset,
    payer: row.payer,
    authorizationNonce: row.authorization_nonce,
    paymentDigest: row.payment_digest,
    payTo: row.pay_to,
    amount: row.amount,
    validBefore: row.valid_before,
    reservedAtBlock: Number(row.reserved_at_block),
    quoteId: row.quote_id,
    quotedStatus: row.quoted_status,
    actualStatus: row.actual_status,
    listPriceMicroUsd: row.list_price_micro_usd,
    creditMicroUsd: row.credit_micro_usd,
    priceMicroUsd: row.price_micro_usd,
    creditHold: row.credit_hold,
    resultHash: row.result_hash,
    artifactId: row.artifact_id,
    transactionHash: row.transaction_hash,
    failure: row.failure,
    createdAt: row.created_at,
    settledAt: row.settled_at,
    paymentIdentifier: row.payment_identifier,
    x402ReceiptHash: row.x402_receipt_hash,
    logIndex: row.log_index === null ? null : Number(row.log_index),
  };
}

export async function findInvocation(db: Queryable, invocationId: string): Promise<Invocation | undefined> {
  const [row] = await db.query<InvocationRow>({
    name: "invocation_find",
    text: "SELECT * FROM invocations WHERE invocation_id = $1",
    values: [invocationId],
  });
  return row && invocationFromRow(row);
}

/** Seconds a process may take from settling to an answer before others may ask the chain. */
export const SETTLE_LEASE_SECONDS = 60;

export interface ComputedAnswer {
  readonly actualStatus: CacheStatus;
  readonly resultHash: string;
  /** Null where nothing was sold that could be shared or kept as evidence. */
  readonly artifactId: string | null;
  /** The exact text owed, sent as UTF-8. */
  readonly body: string;
  /** What is stored of it instead when the answer is private. */
  readonly sealedBody: Buffer | null;
  /** Applied when the payment settles. */
  readonly effects: PublishedAnswer | ClaimEffects | null;
}

/**
 * reserved → settling, storing the exact bytes owed; committed before anyone is asked to move money. Where money
 * has perhaps moved already, straight to unknown, with why. False when this attempt lost its lease.
 */
export function storeAnswer(
  database: Database,
  { invocationId, attempt }: Invocation,
  { actualStatus, resultHash, artifactId, body, sealedBody, effects }: ComputedAnswer,
  unknownBecause: string | null,
): Promise<boolean> {
  const row = {
    invocation_id: invocationId,
    attempt,
    state: unknownBecause === null ? "settling" : "unknown",
    failure: unknownBecause,
    actual_status: actualStatus,
    result_hash: resultHash,
    artifact_id: artifactId,
    body: sealedBody?.toString("base64") ?? body,
    is_sealed: sealedBody !== null,
    effects,
  };
  return database.batch("answer", row, async (rows) => {
    const moved = await database.query<{ invocation_id: string }>({
      name: "invocation_answered",
      text: `WITH given AS (
               SELECT * FROM json_to_recordset($1) AS g (invocation_id text, attempt integer, state text, failure text,
                 actual_status text, result_hash text, artifact_id text, body text, is_sealed boolean, effects json)),
             moved AS (
               UPDATE invocations i SET state = g.state, failure = g.failure, computed_at = now(),
                 lease_until = now() + ($2::int * interval '1 second'),
                 actual_status = g.actual_status, result_hash = g.result_hash, artifact_id = g.artifact_id
               FROM given g
               WHERE i.invocation_id = g.invocation_id AND i.attempt = g.attempt AND i.state = 'reserved'
               RETURNING i.invocation_id)
             INSERT INTO responses (invocation_id, body, is_sealed, effects)
             SELECT invocation_id, CASE WHEN g.is_sealed THEN decode(g.body, 'base64') ELSE convert_to(g.body, 'UTF8') END,
               g.is_sealed, coalesce(g.effects, 'null')
             FROM given g JOIN moved USING (invocation_id)
             ON CONFLICT (invocation_id) DO UPDATE
               SET body = excluded.body, is_sealed = excluded.is_sealed, effects = excluded.effects
             RETURNING invocation_id`,
      values: [JSON.stringify(rows), SETTLE_LEASE_SECONDS],
    });
    const ids = new Set(moved.map(({ invocation_id }) => invocation_id));
    return rows.map(({ invocation_id }) => ids.has(invocation_id));
  });
}

/** settling → unknown. From here only the chain decides. */
export async function markUnknown(db: Queryable, invocationId: string, reason: string): Promise<void> {
  await db.query({
    name: "invocation_unknown",
    text: `UPDATE invocations SET state = 'unknown', failure = $2, lease_until = now()
           WHERE invocation_id = $1 AND state = 'settling'`,
    values: [invocationId, reason.slice(0, 500)],
  });
}
