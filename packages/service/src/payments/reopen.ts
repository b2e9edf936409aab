import { InsufficientCreditError } from "../credits/ledger.js";
import { type Invocation, type InvocationRow, invocationFromRow } from "./invocations.js";
import type { PaidCall } from "./paidCall.js";
import { outcomeUnknown } from "./paymentErrors.js";
import { isAuthorizationUsed, readPaymentFate } from "./paymentFate.js";
import type { PaymentsContext } from "./paymentsContext.js";
import { holdCredit, type KnownPayment, takeOwnQuote } from "./reserve.js";

/**
 * A call that failed, if the token counts its payment as used by now: its answer is owed, and a 402 would deny that. The
 * transaction that failed has shown the payment to everybody, and until it expires anybody may deliver it.
 */
export async function reopenIfUsed(call: PaidCall, failed: Invocation): Promise<KnownPayment | undefined> {
  const used = await isAuthorizationUsed(call.context, failed);
  if (used === undefined) throw outcomeUnknown();
  const invocation = used ? await reopen(call, failed) : undefined;
  return invocation && { status: "unknown", invocation };
}

/**
 * failed → unknown, with the answer that was stored. Its quote and its credit went back when it failed, and are taken again. Another
 * payment may have used the quote, the ticket or the purchase's name meanwhile: this call is owed all the same, and goes without.
 * Undefined where another process was faster, or the credit is spent meanwhile: it went to another answer.
 */
async function reopen({ context, payment }: PaidCall, failed: Invocation): Promise<Invocation | undefined> {
  const { authorization, signature } = payment.payload;
  try {
    return await context.database.transaction(async (tx) => {
      const [row] = await tx.query<InvocationRow>({
        name: "invocation_reopen",
        text: `WITH reopened AS (
                 UPDATE invocations i SET state = 'unknown', attempt = attempt + 1, lease_until = now(),
                   failure = 'delivered after it failed',
                   offer_key = CASE WHEN NOT EXISTS (SELECT FROM invocations o WHERE o.offer_key = i.offer_key
                     AND o.state NOT IN ('void', 'failed')) THEN offer_key END,
                   payment_identifier = CASE WHEN NOT EXISTS (SELECT FROM invocations o WHERE o.payer = i.payer
                     AND o.payment_identifier = i.payment_identifier AND o.state NOT IN ('void', 'failed')) THEN payment_identifier END
                 WHERE invocation_id = $1 AND state = 'failed' RETURNING *),
               kept AS (
                 INSERT INTO unfinal_settlements (invocation_id, valid_after, signature)
                 SELECT invocation_id, $2, $3 FROM reopened ON CONFLICT (invocation_id) DO NOTHING)
               SELECT * FROM reopened`,
        values: [failed.invocationId, authorization.validAfter, signature],
      });
      if (!row) return undefined;
      const invocation = await takeOwnQuote(tx, invocationFromRow(row));
      const { creditMicroUsd } = invocation;
      return creditMicroUsd === 0n ? invocation : await holdCredit(tx, invocation, creditMicroUsd);
    });
  } catch (error) {
    if (error instanceof InsufficientCreditError) return undefined;
    throw error;
  }
}

/**
 * Whether a payment was delivered by now, asked before a 402 says that it was not charged. Anybody who has seen a payment
 * may deliver it: a facilitator whose answer was lost, or a node that was asked what the transfer would do. Throws while
 * that is not known, and while a remote facilitator that was asked before may still deliver it.
 */
export async function isDelivered(
  context: PaymentsContext,
  invocation: Invocation,
  wasAskedBefore: boolean,
): Promise<boolean> {
  const fate = await readPaymentFate(context, invocation);
  if (fate.status !== "undecided") return fate.status === "paid";
  const mayComeLate =
    wasAskedBefore &&
    !context.facilitator.isTrusted &&
    invocation.validBefore > BigInt(Math.floor(Date.now() / 1000));
  if (!fate.isUnused || mayComeLate) throw outcomeUnknown();
  return false;
}
