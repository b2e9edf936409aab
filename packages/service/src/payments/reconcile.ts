import type { Facilitator } from "./facilitator.js";
import { finishSettled } from "./finishSettled.js";
import { finishFailed, finishVoid } from "./finishUncharged.js";
import { holdLease } from "./holdLease.js";
import { type Invocation, type InvocationRow, invocationFromRow, markUnknown } from "./invocations.js";
import { findKeptPayment } from "./keptPayment.js";
import { type PaymentFate, readPaymentFate } from "./paymentFate.js";
import type { SettlementContext } from "./paymentsContext.js";

export type ReconcileContext = SettlementContext & { readonly facilitator: Facilitator };

/** Ends an unknown invocation if the chain has decided it. Returns its fate. */
export async function reconcileInvocation(
  context: ReconcileContext,
  invocation: Invocation,
): Promise<PaymentFate> {
  const shown = await readPaymentFate(context, invocation);
  const fate = "isUnused" in shown ? ((await deliverAgain(context, invocation)) ?? shown) : shown;
  if (fate.status === "paid") await finishSettled(context, invocation, fate.transaction);
  if (fate.status === "dead") await finishFailed(context, invocation, fate.reason);
  context.logger.info(
    {
      invocationId: invocation.invocationId,
      capability: invocation.capabilityId,
      fate: fate.status,
      ...("reason" in fate && { reason: fate.reason }),
    },
    "payment reconciled",
  );
  return fate;
}

/**
 * The token has not seen the payment: its transaction was never sent, or waits somewhere. It is delivered once more, because an
 * authorization moves money once, however often it is delivered. Undefined where that decided nothing. A remote facilitator
 * delivers what it accepted by itself.
 */
async function deliverAgain(
  context: ReconcileContext,
  invocation: Invocation,
): Promise<PaymentFate | undefined> {
  const { facilitator, database, settings } = context;
  if (!facilitator.isTrusted) return undefined;
  const payment = await findKeptPayment(database, settings, invocation);
  if (!payment) return undefined;
  return holdLease(context, invocation, async () => {
    // No gas is spent on what the token would refuse now.
    const verified = await facilitator.verify(payment, payment.accepted);
    if (verified.status !== "valid") return undefined;
    const outcome = await facilitator.settle(payment, payment.accepted, { atAnyCost: true });
    // Only the transfer is proof. A failure of this delivery says nothing about the one before it.
    return outcome.status === "settled" ? { status: "paid", transaction: outcome.transaction } : undefined;
  });
}

const RECHECK_SECONDS = 5;

/**
 * Takes over calls whose process went away. Any number of processes may run this: each row is
 * claimed by pushing its lease forward in one statement.
 */
export async function reconcileAbandoned(context: ReconcileContext, limit: number): Promise<number> {
  const rows = await context.database.query<InvocationRow>({
    text: `UPDATE invocations SET lease_until = now() + ($1::int * interval '1 second')
           WHERE invocation_id IN (
             SELECT invocation_id FROM invocations
             WHERE state IN ('reserved', 'settling', 'unknown') AND lease_until < now()
             ORDER BY lease_until LIMIT $2 FOR UPDATE SKIP LOCKED)
           RETURNING *`,
    values: [RECHECK_SECONDS, limit],
  });
  // Together, so that those which are delivered again travel together, and one that no node can show holds up no other.
  await Promise.all(
    rows.map((row) =>
      takeOver(context, invocationFromRow(row)).catch((err: unknown) =>
        context.logger.warn({ err, invocationId: row.invocation_id }, "payment not reconciled"),
      ),
    ),
  );
  return rows.length;
}

async function takeOver(context: ReconcileContext, invocation: Invocation): Promise<void> {
  if (invocation.state === "reserved") return finishVoid(context, invocation, "abandoned before settlement");
  if (invocation.state === "settling")
    await markUnknown(context.database, invocation.invocationId, "abandoned while settling");
  await reconcileInvocation(context, invocation);
}
