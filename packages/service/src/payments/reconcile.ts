import { finishSettled } from "./finishSettled.js";
import { finishFailed, finishVoid } from "./finishUncharged.js";
import { type Invocation, type InvocationRow, invocationFromRow, markUnknown } from "./invocations.js";
import { type PaymentFate, readPaymentFate } from "./paymentFate.js";
import type { SettlementContext } from "./paymentsContext.js";

/** Ends an unknown invocation if the chain has decided it. Returns its fate. */
export async function reconcileInvocation(
  context: SettlementContext,
  invocation: Invocation,
): Promise<PaymentFate> {
  const fate = await readPaymentFate(context, invocation);
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

const RECHECK_SECONDS = 5;

/**
 * Takes over calls whose process went away. Any number of processes may run this: each row is
 * claimed by pushing its lease forward in one statement.
 */
export async function reconcileAbandoned(context: SettlementContext, limit: number): Promise<number> {
  const rows = await context.database.query<InvocationRow>({
    text: `UPDATE invocations SET lease_until = now() + ($1::int * interval '1 second')
           WHERE invocation_id IN (
             SELECT invocation_id FROM invocations
             WHERE state IN ('reserved', 'settling', 'unknown') AND lease_until < now()
             ORDER BY lease_until LIMIT $2 FOR UPDATE SKIP LOCKED)
           RETURNING *`,
    values: [RECHECK_SECONDS, limit],
  });
  for (const row of rows) {
    const invocation = invocationFromRow(row);
    if (invocation.state === "reserved") {
      await finishVoid(context, invocation, "abandoned before settlement");
      continue;
    }
    if (invocation.state === "settling")
      await markUnknown(context.database, invocation.invocationId, "abandoned while settling");
    // One payment whose fate no node can show must not hold up those behind it.
    await reconcileInvocation(context, invocation).catch((err: unknown) =>
      context.logger.warn({ err, invocationId: invocation.invocationId }, "payment not reconciled"),
    );
  }
  return rows.length;
}
