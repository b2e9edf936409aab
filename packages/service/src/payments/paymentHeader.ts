import { AssayError, type PaymentPayload, paymentPayloadSchema } from "@assay/protocol";

/** Longest PAYMENT-SIGNATURE accepted, before decoding. */
export const MAX_PAYMENT_HEADER_CHARACTERS = 8192;

/** Reads the header a payer sends: base64 of an x402 version 2 payload with an EIP-3009 authorization. */
export function readPaymentHeader(header: string): PaymentPayload {
  if (header.length > MAX_PAYMENT_HEADER_CHARACTERS) {
    throw new AssayError(
      "headers_too_large",
      `PAYMENT-SIGNATURE is over ${MAX_PAYMENT_HEADER_CHARACTERS} characters.`,
    );
  }
  const refuse = (rule: string) =>
    new AssayError("invalid_payment_header", `PAYMENT-SIGNATURE ${rule}.`, {
      fields: [{ field: "PAYMENT-SIGNATURE", rule }],
    });
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(header)) throw refuse("must be standard base64");
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(header, "base64").toString("utf8"));
  } catch {
    throw refuse("must be base64 of JSON");
  }
  const parsed = paymentPayloadSchema.safeParse(decoded);
  if (!parsed.success) {
    throw new AssayError(
      "invalid_payment_header",
      "PAYMENT-SIGNATURE is not an x402 version 2 exact payment.",
      {
        fields: parsed.error.issues.map((issue) => ({
          field: ["PAYMENT-SIGNATURE", ...issue.path].join("."),
          rule: issue.message,
        })),
      },
    );
  }
  return parsed.data;
}
