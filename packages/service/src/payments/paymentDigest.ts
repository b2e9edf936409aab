import { createHash } from "node:crypto";
import { type AnyPayment, canonicalJson } from "@assay/protocol";

/**
 * What a stored digest covers: 1 the authorization and its signature, 2 also the offer that the payment accepts, 3 the same,
 * of which the first 128 bits are kept: every call keeps one for ever.
 */
export type DigestVersion = 1 | 2 | 3;
export const DIGEST_VERSION: DigestVersion = 3;
const KEPT_BYTES = 16;

/**
 * A payment exactly as its buyer sent it. The settlement's calldata shows authorization and signature to everybody; the
 * accepted offer, with the buyer's secret in it, was seen by the buyer and this service only.
 */
export function encodePayment({ payload, accepted }: AnyPayment): string {
  // Hexadecimal has two spellings; the offer was given in one.
  return `${canonicalJson(payload).toLowerCase()} ${canonicalJson(accepted)}`;
}

/** Version 1 is how calls were recorded before offers carried a secret. */
export function digestOf(payment: AnyPayment, version: DigestVersion = DIGEST_VERSION): string {
  const text = version === 1 ? canonicalJson(payment.payload).toLowerCase() : encodePayment(payment);
  const digest = createHash("sha256").update(text).digest();
  return version === 3 ? digest.subarray(0, KEPT_BYTES).toString("base64url") : digest.toString("hex");
}
