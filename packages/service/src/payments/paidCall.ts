import type { AnyPayment, PaymentErrorCode, PaymentPayload, PaymentRequired } from "@assay/protocol";
import { buildChallenge, type SaleRequest } from "./challenge.js";
import type { Invocation } from "./invocations.js";
import type { PaymentsContext } from "./paymentsContext.js";
import type { OwedAnswer } from "./storeAnswer.js";

/** A request whose input is known to be well formed. */
export interface CheckedRequest extends SaleRequest {
  readonly inputHash: string;
}

/** What a payment buys. */
export interface Sale {
  /**
   * Does the work; an error voids the call, and nothing is charged. The function that it returns writes the answer for this
   * buyer, and is called only for a payment that is going to be settled. Throws `OfferEndedError` where the answer now costs
   * more than the offer. `isOwed`: the payment is already used, so there is no such error. An offer for a stored answer then
   * gets that answer even if it has expired, and any other offer gets new work.
   */
  compute(call: ReservedCall<AnyPayment>, isOwed?: boolean): Promise<() => Promise<OwedAnswer>>;
}

/** The bytes and header owed to a settled payment. */
export interface SettledResponse {
  readonly body: Buffer;
  readonly paymentResponse: string;
}

/** How a call with a payment ends, unless it throws. */
export type PaidOutcome =
  | { readonly status: "challenge"; readonly challenge: PaymentRequired }
  | { readonly status: "answer"; readonly invocationId: string; readonly response: SettledResponse };

/** One payment for one request; `servePayment` or `serveVoucher` takes it from its first check to its answer. */
export interface PaidCall<P extends AnyPayment = PaymentPayload> {
  readonly context: PaymentsContext;
  readonly sale: Sale;
  readonly request: CheckedRequest;
  readonly payment: P;
  /** A 402 with a fresh challenge. Given only when it is certain that nothing was charged. */
  refuse(error: PaymentErrorCode, detail?: string): Promise<PaidOutcome>;
}

/** A paid call that is tied to its invocation. */
export interface ReservedCall<P extends AnyPayment = PaymentPayload> extends PaidCall<P> {
  readonly invocation: Invocation;
}

export function createPaidCall<P extends AnyPayment>(
  context: PaymentsContext,
  sale: Sale,
  request: CheckedRequest,
  payment: P,
): PaidCall<P> {
  return {
    context,
    sale,
    request,
    payment,
    async refuse(error, detail) {
      const challenge = await buildChallenge(context, request, error);
      return {
        status: "challenge",
        challenge: detail ? { ...challenge, error: `${error}: ${detail}` } : challenge,
      };
    },
  };
}
