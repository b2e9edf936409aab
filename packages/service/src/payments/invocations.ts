import type { CacheStatus, Hex, InvocationState } from "@assay/protocol";
import { findPackedCall } from "../evidence/packedCalls.js";
import type { Queryable } from "../store/database.js";
import type { DigestVersion } from "./paymentDigest.js";

/** A paid call from reservation to its end. Its state changes only by conditional updates. */
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
  readonly digestVersion: DigestVersion;
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
  /** Set where a channel pays. */
  readonly voucher: InvocationVoucher | null;
  /** The transaction that pays in place of `transactionHash`, which a reorganisation undid. */
  readonly redeliveredBy: string | null;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
  /** The payer's own name for this purchase, if it sent one. */
  readonly paymentIdentifier: string | null;
  /** EIP-712 hash of the x402 receipt given out with the answer, for calls whose payment response is not packed. */
  readonly x402ReceiptHash: string | null;
  /** Index of its leaf in the transparency log. */
  readonly logIndex: number | null;
}

/** What a call was charged to its channel with. */
export interface InvocationVoucher {
  readonly channelNo: bigint;
  /** Atomic units that the channel was charged in all, with this call. */
  readonly ceiling: bigint;
  readonly signature: Hex;
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
  digest_version: DigestVersion;
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
  channel_no: bigint | null;
  voucher_ceiling: bigint | null;
  voucher_signature: Buffer | null;
  redelivered_by: string | null;
  failure: string | null;
  created_at: Date;
  settled_at: Date | null;
  payment_identifier: string | null;
  x402_receipt_hash: string | null;
  log_index: bigint | null;
  /** Set for a final sale, whose other columns are packed; `loadInvocation` reads such a row. */
  packed: Buffer | null;
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
    digestVersion: row.digest_version,
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
    voucher: row.channel_no === null ? null : voucherFromRow(row.channel_no, row),
    redeliveredBy: row.redelivered_by,
    failure: row.failure,
    createdAt: row.created_at,
    settledAt: row.settled_at,
    paymentIdentifier: row.payment_identifier,
    x402ReceiptHash: row.x402_receipt_hash,
    logIndex: row.log_index === null ? null : Number(row.log_index),
  };
}

const voucherFromRow = (channelNo: bigint, row: InvocationRow): InvocationVoucher => ({
  channelNo,
  ceiling: row.voucher_ceiling as bigint,
  signature: `0x${(row.voucher_signature as Buffer).toString("hex")}`,
});

/** Any row, also that of a sale which was packed long after it was final. */
export async function loadInvocation(db: Queryable, row: InvocationRow): Promise<Invocation> {
  const call = await findPackedCall(db, row);
  if (!call) return invocationFromRow(row);
  return invocationFromRow({
    ...row,
    ...call,
    valid_before: BigInt(call.valid_before),
    reserved_at_block: BigInt(call.reserved_at_block),
    lease_until: row.settled_at as Date,
  } as InvocationRow);
}

export async function findInvocation(db: Queryable, invocationId: string): Promise<Invocation | undefined> {
  const [row] = await db.query<InvocationRow>({
    name: "invocation_find",
    text: "SELECT * FROM invocations WHERE invocation_id = $1",
    values: [invocationId],
  });
  return row && loadInvocation(db, row);
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
