import type { Invocation } from "./invocations.js";
import type { PaidCall } from "./paidCall.js";
import { isRecovered } from "./recovery/recoveredPayments.js";
import { isDelivered } from "./reopen.js";
import { findKnownPayment } from "./reserve.js";

/** The call that this very payment was made for. */
export const findKnown = (call: PaidCall): Promise<Invocation | undefined> => {
  const { from, nonce } = call.payment.payload.authorization;
  return findKnownPayment(call, from, nonce);
};

/** Whether a payment that ended unpaid, and is refused now, was delivered in between. */
export async function isDeliveredMeanwhile(call: PaidCall): Promise<boolean> {
  const known = await findKnown(call);
  return known ? known.state === "void" && isDelivered(call.context, known, true) : isLost(call);
}

/** Whether the payment has bought something, or may have: that is delivered to anybody. */
export async function isOwedAlready(call: PaidCall): Promise<boolean> {
  const known = await findKnown(call);
  if (!known) return isLost(call);
  const wasUncharged = known.state === "void" || known.state === "failed";
  return !wasUncharged || isDelivered(call.context, known, true);
}

/** Whether it was paid for before the database was put back to an earlier moment, and is owed. */
export function isLost({ context, payment }: PaidCall): Promise<boolean> {
  const { from, nonce } = payment.payload.authorization;
  return isRecovered(context.database, { asset: payment.accepted.asset, payer: from, nonce });
}
