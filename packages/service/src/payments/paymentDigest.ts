import { createHash } from "node:crypto";
import { canonicalJson, type PaymentPayload } from "@assay/protocol";

/** What a stored digest covers: 1 the authorization and its signature, 2 also the offer that the payment accepts. */
export type DigestVersion = 1 | 2;

/**
 * A payment exactly as its buyer sent it. The settlement's calldata shows authorization and signature to everybody; the
 * accepted offer, with the buyer's secret in it, was seen by the buyer and this service only.
 */
export function encodePayment({ payload, accepted }: PaymentPayload): string {
  // Hexadecimal has two spellings; the offer was given in one.
  return `${canonicalJson(payload).toLowerCase()} ${canonicalJson(accepted)}`;
}

/** Version 1 is how calls were recorded before offers carried a secret; their payments can still be sent again. */
export function digestOf(payment: PaymentPayload, version: DigestVersion = 2): string {
  const text = version === 2 ? encodePayment(payment) : canonicalJson(payment.payload).toLowerCase();
  return createHash("sha256").update(text).digest("hex");
}
