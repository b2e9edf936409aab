import type { PaymentErrorCode } from "@assay/protocol";
import type { BaseContext } from "../context.js";
import { redeemHeldCredit, releaseHeldCredit } from "../credits/ledger.js";
import { publishAnswers } from "../evidence/publishAnswer.js";
import { releaseQuote } from "../quotes/quotes.js";
import type { Queryable } from "../store/database.js";
import { type Invocation, type InvocationRow, invocationFromRow } from "./invocations.js";

/** The bytes and header owed to a settled payment. */
export interface SettledResponse {
  readonly body: Buffer;
  readonly paymentResponse: string;
}

/** PAYMENT-RESPONSE: standard base64 of the x402 settlement result. */
function encodePaymentResponse(invocation: Invocation, transaction: string): string {
  const { payer, amount } = invocation;
  const settlement = { success: true, payer, transaction, network: "eip155:8453", amount: amount.toString() };
  return Buffer.from(JSON.stringify(settlement)).toString("base64");
}

/** What a settlement needs to know; whoever stored the answer in this attempt has its bytes still. */
interface Settlement {
  readonly invocation: Invocation;
  readonly transaction: string;
  readonly body: Buffer | undefined;
}

/**
 * settling or unknown → settled, with everything the settlement causes, in one transaction.
 * Settling twice is harmless: the second finds the state already moved and changes nothing.
 */
export async function finishSettled(
  context: BaseContext,
  invocation: Invocation,
  transaction: string,
  body?: Buffer,
): Promise<SettledResponse> {
  const settlement: Settlement = { invocation, transaction, body };
  const settled = await context.database.gather("settle", settlement, (all) => settleAll(context, all));
  return settled ?? getSettledResponse(context.database, invocation.invocationId);
}

/** Payments that one transaction on chain carried usually end here together. Undefined for what was settled before. */
async function settleAll(
  context: BaseContext,
  settlements: readonly Settlement[],
): Promise<(SettledResponse | undefined)[]> {
  const given = settlements.map(({ invocation, transaction, body }) => ({
    invocation_id: invocation.invocationId,
    transaction_hash: transaction,
    payment_response: encodePaymentResponse(invocation, transaction),
    known_attempt: body && invocation.attempt,
  }));
  const moved = await context.database.transaction(async (tx) => {
    const rows = await tx.query<SettledRow>({
      name: "invocation_settled",
      text: `WITH moved AS (
               UPDATE invocations i SET state = 'settled', transaction_hash = g.transaction_hash, settled_at = now(),
                 failure = NULL
               FROM json_to_recordset($1) AS g (invocation_id text, transaction_hash text, payment_response text,
                 known_attempt integer)
               WHERE i.invocation_id = g.invocation_id AND i.state IN ('settling', 'unknown')
               RETURNING i.invocation_id, g.payment_response, g.known_attempt IS NOT DISTINCT FROM i.attempt AS is_known,
                 i.credit_hold, i.credit_micro_usd)
             UPDATE responses r SET payment_response = m.payment_response FROM moved m
             WHERE r.invocation_id = m.invocation_id
             RETURNING r.invocation_id, CASE WHEN m.is_known THEN NULL ELSE r.body END AS body,
               m.payment_response, m.credit_hold, m.credit_micro_usd`,
      values: [JSON.stringify(given)],
    });
    for (const row of rows)
      if (row.credit_hold) await redeemHeldCredit(tx, row.credit_hold, row.credit_micro_usd);
    await publishAnswers(
      tx,
      rows.map((row) => row.invocation_id),
    );
    context.failpoints.reach("inside_settled");
    return new Map(rows.map((row) => [row.invocation_id, row]));
  });
  return settlements.map(({ invocation, body }) => {
    const row = moved.get(invocation.invocationId);
    const bytes = row?.body ?? body;
    return row && bytes && { body: bytes, paymentResponse: row.payment_response };
  });
}

interface SettledRow {
  invocation_id: string;
  /** Null where the caller has it. */
  body: Buffer | null;
  payment_response: string;
  credit_hold: string | null;
  credit_micro_usd: bigint;
}

/** Nothing was charged and nothing will be: the quote and the credit go back to the wallet. */
async function release(tx: Queryable, row: InvocationRow): Promise<void> {
  const invocation = invocationFromRow(row);
  if (invocation.quoteId) await releaseQuote(tx, invocation.quoteId, invocation.invocationId);
  if (!invocation.creditHold) return;
  await releaseHeldCredit(tx, invocation.payer, invocation.creditHold, invocation.creditMicroUsd);
  await tx.query({
    name: "invocation_credit_released",
    text: "UPDATE invocations SET credit_hold = NULL WHERE invocation_id = $1",
    values: [invocation.invocationId],
  });
}

/** reserved → void, by the attempt that owns it or by anyone once its lease ended. */
export async function finishVoid(
  context: BaseContext,
  invocation: Invocation,
  reason: PaymentErrorCode | string,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const [row] = await tx.query<InvocationRow>({
      name: "invocation_void",
      text: `UPDATE invocations SET state = 'void', failure = $3, lease_until = now()
             WHERE invocation_id = $1 AND attempt = $2 AND state = 'reserved' RETURNING *`,
      values: [invocation.invocationId, invocation.attempt, reason.slice(0, 500)],
    });
    if (row) await release(tx, row);
    context.failpoints.reach("inside_void");
  });
}

/** settling or unknown → failed: certain that this authorization moved no money to us. */
export async function finishFailed(
  context: BaseContext,
  invocation: Invocation,
  reason: string,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const [row] = await tx.query<InvocationRow>({
      name: "invocation_failed",
      text: `UPDATE invocations SET state = 'failed', failure = $2, lease_until = now()
             WHERE invocation_id = $1 AND state IN ('settling', 'unknown') RETURNING *`,
      values: [invocation.invocationId, reason.slice(0, 500)],
    });
    if (row) await release(tx, row);
    context.failpoints.reach("inside_failed");
  });
}

/** The stored answer of a settled call. */
export async function getSettledResponse(db: Queryable, invocationId: string): Promise<SettledResponse> {
  const [row] = await db.query<{ body: Buffer; payment_response: string }>({
    name: "response_find",
    text: `SELECT r.body, r.payment_response FROM responses r JOIN invocations i USING (invocation_id)
           WHERE invocation_id = $1 AND i.state = 'settled'`,
    values: [invocationId],
  });
  if (!row) throw new Error(`invocation ${invocationId} is not settled or has no stored response`);
  return { body: row.body, paymentResponse: row.payment_response };
}
