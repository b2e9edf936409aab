import type { CapabilityId } from "@assay/capabilities";
import { capabilityResultSchema } from "@assay/protocol";
import { OtherAnswerError } from "./errors.js";
import { type HttpAnswer, readOk } from "./exchange.js";
import { findOtherQuestion } from "./findOtherQuestion.js";
import { readQuestion } from "./invokeRequest.js";
import type { PaidAnswer, ResultOf } from "./paidAnswer.js";
import type { PreparedPayment } from "./preparedPayment.js";
import { readSettlement } from "./readSettlement.js";

/** Throws OtherAnswerError when the answer is not to the question and the price that were paid. */
export function readAnswer<Id extends CapabilityId>(
  answer: HttpAnswer,
  { capabilityId, request, priceUsd, voucher }: PreparedPayment<Id>,
): PaidAnswer<Id> {
  const result = readOk(answer, capabilityResultSchema);
  const other = findOtherQuestion(result, capabilityId, readQuestion(request));
  if (other) throw new OtherAnswerError(other);
  const { pricePaidUsd } = result.pricing;
  if (pricePaidUsd !== priceUsd)
    throw new OtherAnswerError(
      `It states a price of ${pricePaidUsd} USD, but ${priceUsd} USD were signed.`,
      "paid",
    );
  return {
    answer: result as ResultOf<Id>,
    ...(voucher ? { settlement: null, voucher } : { settlement: readSettlement(answer) }),
    rawBody: answer.bytes,
  };
}
