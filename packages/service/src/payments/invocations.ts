import type { CacheStatus, InvocationState } from "@assay/protocol";
import type { Queryable } from "../store/database.js";

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
  readonly artifactId: string;
  readonly body: Buffer;
  /** JSON applied when the payment settles. */
  readonly effects: string;
}

/** reserved → computed, storing the exact bytes owed. False when this attempt lost its lease. */
export async function markComputed(
  tx: Queryable,
  invocation: Invocation,
  answer: ComputedAnswer,
): Promise<boolean> {
  const rows = await tx.query({
    name: "invocation_computed",
    text: `WITH moved AS (
             UPDATE invocations SET state = 'computed', computed_at = now(), actual_status = $3, result_hash = $4, artifact_id = $5
             WHERE invocation_id = $1 AND attempt = $2 AND state = 'reserved' RETURNING invocation_id)
           INSERT INTO responses (invocation_id, body, effects) SELECT invocation_id, $6, $7 FROM moved
           ON CONFLICT (invocation_id) DO UPDATE SET body = excluded.body, effects = excluded.effects
           RETURNING invocation_id`,
    values: [
      invocation.invocationId,
      invocation.attempt,
      answer.actualStatus,
      answer.resultHash,
      answer.artifactId,
      answer.body,
      answer.effects,
    ],
  });
  return rows.length === 1;
}

/** computed → settling. Committed before anyone is asked to move money. */
export async function markSettling(db: Queryable, invocation: Invocation): Promise<boolean> {
  const rows = await db.query({
    name: "invocation_settling",
    text: `UPDATE invocations SET state = 'settling', lease_until = now() + ($3::int * interval '1 second')
           WHERE invocation_id = $1 AND attempt = $2 AND state = 'computed' RETURNING invocation_id`,
    values: [invocation.invocationId, invocation.attempt, SETTLE_LEASE_SECONDS],
  });
  return rows.length === 1;
}

/** settling → unknown. From here only the chain decides. */
export async function markUnknown(db: Queryable, invocationId: string, reason: string): Promise<void> {
  await db.query({
    name: "invocation_unknown",
    text: `UPDATE invocations SET state = 'unknown', failure = $2, lease_until = now()
           WHERE invocation_id = $1 AND state IN ('computed', 'settling')`,
    values: [invocationId, reason.slice(0, 500)],
  });
}
