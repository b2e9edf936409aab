import type { Hex, PaymentPayload } from "@assay/protocol";
import type { Settings } from "../base/settings.js";
import { buildRequirements } from "../quotes/paymentRequirements.js";
import type { Database } from "../store/database.js";
import type { Invocation } from "./invocations.js";

/** What is kept of an authorization, beside its invocation, until its settlement is final. */
export interface KeptAuthorization {
  readonly valid_after: string;
  readonly signature: string;
}

/** The payment as the facilitator needs it. Its offer lacks the buyer's secret, which is not stored. */
export function toPayment(
  settings: Settings,
  { payer, payTo, amount, authorizationNonce, validBefore }: Invocation,
  { valid_after: validAfter, signature }: KeptAuthorization,
): PaymentPayload {
  return {
    x402Version: 2,
    accepted: { ...buildRequirements(settings, amount), payTo: payTo as Hex },
    payload: {
      authorization: {
        from: payer as Hex,
        to: payTo as Hex,
        value: amount.toString(),
        validAfter,
        validBefore: validBefore.toString(),
        nonce: authorizationNonce as Hex,
      },
      signature: signature as Hex,
    },
  };
}

export async function findKeptPayment(
  database: Database,
  settings: Settings,
  invocation: Invocation,
): Promise<PaymentPayload | undefined> {
  const [kept] = await database.query<KeptAuthorization>({
    name: "kept_authorization",
    text: "SELECT valid_after, signature FROM unfinal_settlements WHERE invocation_id = $1",
    values: [invocation.invocationId],
  });
  return kept && toPayment(settings, invocation, kept);
}
