import { AssayError, canonicalJson } from "@assay/protocol";
import { readPaymentHeader, readPaymentIdentifier } from "../payments/paymentHeader.js";
import { invalidParams } from "./invalidParams.js";

export const PAYMENT_META = "x402/payment";
const META_NAME = `_meta["${PAYMENT_META}"]`;

/** The payment of a tool call as the header carries it, from the header or the message; undefined where there is none. */
export function readToolPayment(header: string | null, inMeta: unknown): string | undefined {
  if (inMeta === undefined) return header ?? undefined;
  if ((typeof inMeta !== "object" && typeof inMeta !== "string") || inMeta === null)
    throw invalidParams(`${META_NAME} must be an x402 payment payload, as JSON or in base64.`);
  // x402's MCP transport sends JSON; the client of Cloudflare's `agents/x402` sends what would be in the header.
  const encoded =
    typeof inMeta === "string" ? inMeta : Buffer.from(JSON.stringify(inMeta)).toString("base64");
  const payment = namingPlace(META_NAME, () => {
    const read = readPaymentHeader(encoded);
    readPaymentIdentifier(read);
    return read;
  });
  if (header !== null && header !== encoded) {
    const other = namingPlace("PAYMENT-SIGNATURE", () => readPaymentHeader(header));
    // One of them would be left unspent without its payer knowing which.
    if (canonicalJson(other) !== canonicalJson(payment))
      throw invalidParams(`The PAYMENT-SIGNATURE header and ${META_NAME} must not be different payments.`);
  }
  return encoded;
}

/** Names the place of a payment in the sentence that refuses it. */
function namingPlace<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    const [named] = error.fields;
    const sentence = named ? `${named.field} ${named.rule}.` : error.message;
    throw invalidParams(sentence.replace("PAYMENT-SIGNATURE", place));
  }
}
