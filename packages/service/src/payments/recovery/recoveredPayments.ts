import { NETWORK } from "@assay/protocol";
import type { Database, Queryable } from "../../store/database.js";

/**
 * For a row of `given` that is reserved: the block before that of a payment which a restored database had lost. A use of the nonce after this block
 * pays for the call. Locked, so that a refund cannot begin between this and the reservation. No row, so null, in all other cases.
 */
export const LOST_BLOCK = `(
  SELECT r.block_number - 1 FROM recovered_payments r
  WHERE r.authorization_id = authorization_key(given.network, given.asset, given.payer, given.authorization_nonce) AND r.refund_began_at IS NULL
  FOR KEY SHARE)`;

/** Whether the chain showed this payment, a restored database had lost its call, and its money is not on the way back. */
export async function isRecovered(
  db: Queryable,
  { asset, payer, nonce }: { readonly asset: string; readonly payer: string; readonly nonce: string },
): Promise<boolean> {
  const rows = await db.query({
    name: "recovered_payment",
    text: `SELECT 1 FROM recovered_payments
           WHERE authorization_id = authorization_key($1, $2, $3, $4) AND refund_began_at IS NULL`,
    values: [NETWORK, asset.toLowerCase(), payer.toLowerCase(), nonce.toLowerCase()],
  });
  return rows.length > 0;
}

/** `waiting`: its payer may send it again for an answer, or the operator may refund it. */
export type RecoveredState = "waiting" | "answered" | "refund_began" | "refunded";

export interface RecoveredPayment {
  /** Names it in commands. */
  readonly id: string;
  readonly state: RecoveredState;
  readonly payer: string;
  readonly nonce: string;
  readonly amountMicroUsd: bigint;
  readonly transaction: string;
  readonly block: number;
  readonly foundAt: string;
  readonly refundTransaction: string | null;
}

const CALL_OF = `SELECT FROM invocations i
  WHERE coalesce(i.authorization_id, authorization_key(i.network, i.asset, i.payer, i.authorization_nonce)) = r.authorization_id`;

export async function listRecovered(db: Queryable, id?: string): Promise<RecoveredPayment[]> {
  const rows = await db.query<{
    id: string;
    state: RecoveredState;
    payer: string;
    authorization_nonce: string;
    amount: bigint;
    transaction_hash: string;
    block_number: bigint;
    found_at: Date;
    refund_transaction: string | null;
  }>({
    text: `SELECT encode(authorization_id, 'hex') AS id, payer, authorization_nonce, amount, transaction_hash, block_number,
             found_at, refund_transaction,
             CASE WHEN EXISTS (${CALL_OF} AND i.state IN ('settled', 'reorged')) THEN 'answered'
               WHEN refund_transaction IS NOT NULL THEN 'refunded'
               WHEN refund_began_at IS NOT NULL THEN 'refund_began' ELSE 'waiting' END AS state
           FROM recovered_payments r WHERE $1::text IS NULL OR encode(authorization_id, 'hex') = $1
           ORDER BY block_number, authorization_id`,
    values: [id ?? null],
  });
  return rows.map((row) => ({
    id: row.id,
    state: row.state,
    payer: row.payer,
    nonce: row.authorization_nonce,
    amountMicroUsd: row.amount,
    transaction: row.transaction_hash,
    block: Number(row.block_number),
    foundAt: row.found_at.toISOString(),
    refundTransaction: row.refund_transaction,
  }));
}

/** How many are neither answered nor refunded. */
export async function countWaiting(db: Queryable): Promise<number> {
  const [row] = await db.query<{ waiting: bigint }>({
    name: "recovered_waiting",
    text: `SELECT count(*) AS waiting FROM recovered_payments r
           WHERE refund_transaction IS NULL AND NOT EXISTS (${CALL_OF} AND i.state IN ('settled', 'reorged'))`,
  });
  return Number(row?.waiting ?? 0);
}

/**
 * waiting → refund_began: from here on the payment buys no answer. False where it was answered, or is being answered now. Calls
 * that ended without a charge stay, and no longer find this use of their authorization.
 */
export function beginRefund(database: Database, id: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const values = [id];
    await tx.query({
      text: "SELECT FROM recovered_payments WHERE encode(authorization_id, 'hex') = $1 FOR UPDATE",
      values,
    });
    // A statement of its own, so that it sees the reservation that the lock waited for.
    const begun = await tx.query<{ authorization_id: Buffer; block_number: bigint }>({
      text: `UPDATE recovered_payments r SET refund_began_at = now()
             WHERE encode(authorization_id, 'hex') = $1 AND refund_began_at IS NULL
               AND NOT EXISTS (${CALL_OF} AND i.state NOT IN ('void', 'failed'))
             RETURNING authorization_id, block_number`,
      values,
    });
    const [row] = begun;
    if (!row) return false;
    await tx.query({
      text: `UPDATE invocations SET reserved_at_block = greatest(reserved_at_block, $2) WHERE packed IS NULL
               AND coalesce(authorization_id, authorization_key(network, asset, payer, authorization_nonce)) = $1`,
      values: [row.authorization_id, row.block_number],
    });
    return true;
  });
}

/** refund_began → refunded, by a transaction that refunds this one payment. */
export async function recordRefund(db: Queryable, id: string, transaction: string): Promise<boolean> {
  const rows = await db.query({
    text: `UPDATE recovered_payments SET refund_transaction = $2
           WHERE encode(authorization_id, 'hex') = $1 AND refund_began_at IS NOT NULL AND refund_transaction IS NULL
           RETURNING 1`,
    values: [id, transaction.toLowerCase()],
  });
  return rows.length > 0;
}
