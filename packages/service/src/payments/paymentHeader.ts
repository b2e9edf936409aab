import {
  type AnyPayment,
  AssayError,
  CHANNEL_SCHEME,
  canonicalJson,
  channelPaymentSchema,
  MAX_JSON_DEPTH,
  nestsTooDeep,
  paymentPayloadSchema,
} from "@assay/protocol";
import { isValidPaymentId, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";

/** Longest PAYMENT-SIGNATURE accepted, before decoding: 8 KiB of JSON. */
export const MAX_PAYMENT_HEADER_CHARACTERS = Math.ceil(8192 / 3) * 4;

/** The payer's own name for this purchase, from the x402 extension payment-identifier; null when it sent none. */
export function readPaymentIdentifier({ extensions }: AnyPayment): string | null {
  const declared = extensions?.[PAYMENT_IDENTIFIER] as
    | { readonly info?: { readonly id?: unknown } }
    | undefined;
  const id = declared?.info?.id;
  if (id === undefined) return null;
  if (typeof id === "string" && isValidPaymentId(id)) return id;
  const field = `PAYMENT-SIGNATURE.extensions.${PAYMENT_IDENTIFIER}.info.id`;
  const rule = "must be 16 to 128 letters, digits, hyphens and underscores";
  throw new AssayError("invalid_payment_header", `${field} ${rule}.`, { fields: [{ field, rule }] });
}

/** The wallet that pays, in lower case. */
export const payerOf = ({ payload }: AnyPayment): string =>
  ("authorization" in payload ? payload.authorization.from : payload.channelConfig.payer).toLowerCase();

/** Reads the header a payer sends: base64 of an x402 version 2 payload with an EIP-3009 authorization or a channel's voucher. */
export function readPaymentHeader(header: string): AnyPayment {
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
  const text = Buffer.from(header, "base64").toString("utf8");
  if (nestsTooDeep(text)) throw refuse(`must be nested at most ${MAX_JSON_DEPTH} levels deep`);
  let decoded: unknown;
  try {
    decoded = JSON.parse(text);
  } catch {
    throw refuse("must be base64 of JSON");
  }
  // The offer that it accepts is compared and hashed in canonical form.
  if (!hasCanonicalForm(decoded))
    throw refuse("must hold neither half of a surrogate pair nor a number of more than 64 bits");
  const { accepted } = Object(decoded) as { accepted?: { scheme?: unknown } | null };
  const scheme = accepted?.scheme === CHANNEL_SCHEME ? CHANNEL_SCHEME : "exact";
  const schema = scheme === "exact" ? paymentPayloadSchema : channelPaymentSchema;
  const parsed = schema.safeParse(decoded);
  if (!parsed.success) {
    throw new AssayError(
      "invalid_payment_header",
      `PAYMENT-SIGNATURE is not an x402 version 2 ${scheme} payment.`,
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

/** JSON can write what RFC 8785 has no form for: `"\ud800"`, which is no character, and `1e999`, which is read as infinite. */
function hasCanonicalForm(value: unknown): boolean {
  try {
    canonicalJson(value);
    return true;
  } catch {
    return false;
  }
}
