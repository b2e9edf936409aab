import type { PaymentErrorCode } from "@assay/protocol";
import type { BaseContext } from "../context.js";
import { redeemHeldCredit, releaseHeldCredit } from "../credits/ledger.js";
import { type PublishedAnswer, publishAnswer } from "../evidence/publishAnswer.js";
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

/**
 * settling or unknown → settled, with everything the settlement causes, in one transaction.
 * Settling twice is harmless: the second finds the state already moved and changes nothing.
 */
export async function finishSettled(
  context: BaseContext,
  invocation: Invocation,
  transaction: string,
): Promise<SettledResponse> {
  const paymentResponse = encodePaymentResponse(invocation, transaction);
  const settled = await context.database.transaction(async (tx) => {
    const [row] = await tx.query<{
      body: Buffer;
      effects: PublishedAnswer | null;
      credit_hold: string | null;
      credit_micro_usd: bigint;
    }>({
      name: "invocation_settled",
      text: `WITH moved AS (
               UPDATE invocations SET state = 'settled', transaction_hash = $2, settled_at = now(), failure = NULL
               WHERE invocation_id = $1 AND state IN ('settling', 'unknown') RETURNING *)
             UPDATE responses r SET payment_response = $3 FROM moved WHERE r.invocation_id = moved.invocation_id
             RETURNING r.body, r.effects, moved.credit_hold, moved.credit_micro_usd`,
      values: [invocation.invocationId, transaction, paymentResponse],
    });
    if (!row) return undefined;
    if (row.credit_hold) await redeemHeldCredit(tx, row.credit_hold, row.credit_micro_usd);
    if (row.effects) await publishAnswer(tx, invocation.invocationId, row.effects);
    context.failpoints.reach("inside_settled");
    return { body: row.body, paymentResponse };
  });
  return settled ?? getSettledResponse(context.database, invocation.invocationId);
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

/** reserved or computed → void, by the attempt that owns it or by anyone once its lease ended. */
export async function finishVoid(
  context: BaseContext,
  invocation: Invocation,
  reason: PaymentErrorCode | string,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const [row] = await tx.query<InvocationRow>({
      name: "invocation_void",
      text: `UPDATE invocations SET state = 'void', failure = $3, lease_until = now()
             WHERE invocation_id = $1 AND attempt = $2 AND state IN ('reserved', 'computed') RETURNING *`,
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
