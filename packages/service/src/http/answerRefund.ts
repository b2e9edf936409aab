import type { AnyPayment, ChannelPayment } from "@assay/protocol";
import type { Context } from "hono";
import { buildChallenge, type SaleRequest } from "../payments/challenge.js";
import { correctChallenge } from "../payments/channels/correctChallenge.js";
import { serveRefund } from "../payments/channels/serveRefund.js";
import type { PaymentsContext } from "../payments/paymentsContext.js";
import { encodeChallenge } from "./challengeMemory.js";
import { challengeResponse } from "./payAndAnswer.js";

/** The payment, if it asks for the rest of its channel instead of an answer. It may come to any paid route, with any input. */
export function findRefund(payment: AnyPayment): ChannelPayment | undefined {
  return "type" in payment.payload && payment.payload.type === "refund"
    ? (payment as ChannelPayment)
    : undefined;
}

/** Returns what is left in a channel to its payer, as the scheme's clients ask for it. */
export async function answerRefund(
  context: PaymentsContext,
  c: Context,
  request: SaleRequest,
  payment: ChannelPayment,
): Promise<Response> {
  const { limits } = context;
  limits.refuseIfSpent("refusedPayment", request.clientAddress);
  const outcome = await serveRefund(context, payment, request.clientAddress);
  if (outcome.status === "refunded") {
    const body = { message: "Refunded", channelId: outcome.channelId };
    return c.json(body, 200, {
      "cache-control": "private",
      "payment-response": outcome.paymentResponse,
    });
  }
  await limits.consume("refusedPayment", request.clientAddress);
  if (outcome.status === "stale") {
    const { voucher } = payment.payload;
    const corrected = await correctChallenge(context, request, outcome.channel, voucher);
    return challengeResponse(c, encodeChallenge(corrected));
  }
  const { error, detail } = outcome;
  const challenge = await buildChallenge(context, request, error);
  return challengeResponse(
    c,
    encodeChallenge(detail ? { ...challenge, error: `${error}: ${detail}` } : challenge),
  );
}
