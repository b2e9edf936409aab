import { type AnyPayment, AssayError } from "@assay/protocol";
import type { Context } from "hono";
import type { Metrics } from "../base/metrics.js";
import type { CheckedRequest, Sale } from "../payments/paidCall.js";
import type { PaymentsContext } from "../payments/paymentsContext.js";
import { servePayment } from "../payments/servePayment.js";
import { challengeHeaders, type EncodedChallenge, encodeChallenge } from "./challengeMemory.js";

/** Takes the payment and answers with what it buys, or with why it buys nothing. */
export async function payAndAnswer(
  context: PaymentsContext & { readonly metrics: Metrics },
  c: Context,
  sale: Sale,
  request: CheckedRequest,
  payment: AnyPayment,
  status: 200 | 201,
): Promise<Response> {
  const capability = request.sold.id;
  const startedAt = performance.now();
  const note = (facts: { outcome: string; invocationId?: string; reason?: string | undefined }) => {
    context.metrics.invocations.inc({ capability, outcome: facts.outcome });
    const durationMs = Math.round(performance.now() - startedAt);
    context.logger.info({ requestId: c.get("requestId"), capability, ...facts, durationMs }, "paid call");
  };
  const outcome = await servePayment(context, sale, request, payment).catch((error) => {
    note({ outcome: error instanceof AssayError ? error.code : "error" });
    throw error;
  });
  if (outcome.status === "challenge") {
    note({ outcome: "refused", reason: outcome.challenge.error });
    return challengeResponse(c, encodeChallenge(outcome.challenge));
  }
  note({ outcome: "settled", invocationId: outcome.invocationId });
  return c.body(new Uint8Array(outcome.response.body), status, {
    "content-type": "application/json",
    "cache-control": "private",
    "payment-response": outcome.response.paymentResponse,
  });
}

/** The same JSON in the header, for x402 clients, and in the body, for people. */
export function challengeResponse(c: Context, challenge: EncodedChallenge): Response {
  return c.body(challenge.body, 402, challengeHeaders(challenge));
}
