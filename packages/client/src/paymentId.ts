import { InvalidArgumentError } from "./invalidArgumentError.js";

/** The form that the x402 extension payment-identifier prescribes. */
const PAYMENT_ID = /^[A-Za-z0-9_-]{16,128}$/;

/** A new name for a purchase. Not `randomUUID`, which pages without TLS have not. */
export const createPaymentId = () =>
  `pay_${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

export function verifyPaymentId(id: string): void {
  if (!PAYMENT_ID.test(id))
    throw new InvalidArgumentError("paymentId must be 16 to 128 letters, digits, hyphens and underscores.");
}
