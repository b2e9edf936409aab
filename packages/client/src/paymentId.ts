import { createNonce } from "./createNonce.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";

/** The form that the x402 extension payment-identifier prescribes. */
const PAYMENT_ID = /^[A-Za-z0-9_-]{16,128}$/;

/** A new name for a purchase. */
export const createPaymentId = () => `pay_${createNonce()}`;

export function verifyPaymentId(id: string): void {
  if (!PAYMENT_ID.test(id))
    throw new InvalidArgumentError("paymentId must be 16 to 128 letters, digits, hyphens and underscores.");
}
