import { type AnyPayment, AssayError } from "@assay/protocol";
import type { PaidOutcome, ReservedCall } from "./paidCall.js";
import { encodePayment } from "./paymentDigest.js";
import { openResponse } from "./sealedResponse.js";
import { getStoredResponse } from "./storedResponses.js";

/** The stored answer of a settled call, byte for byte; a private one opens only with the payment that bought it. */
export async function replay({
  context,
  invocation,
  payment,
}: ReservedCall<AnyPayment>): Promise<PaidOutcome> {
  const { invocationId } = invocation;
  const { body, isSealed, paymentResponse } = await getStoredResponse(context.database, invocationId);
  const { answerSecret, formerAnswerSecrets, publicUrl } = context.settings;
  const open = (sealed: Buffer) => {
    for (const secret of [answerSecret, ...formerAnswerSecrets]) {
      const opened = openResponse(secret, encodePayment(payment), invocationId, sealed);
      if (opened) return opened;
    }
    return undefined;
  };
  const plain = body && isSealed ? open(body) : body;
  if (!plain)
    throw new AssayError(
      "answer_deleted",
      `This payment was settled and answered; private answers are kept for an hour. Its receipt is ${publicUrl}/api/v1/receipts/${invocationId}.`,
    );
  return { status: "answer", invocationId, response: { body: plain, paymentResponse } };
}
