import type { PaymentRequirements } from "@assay/protocol";
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import { discoveryExtensionOf } from "./discoveryExtension.js";
import { type DigestSigner, OFFER_RECEIPT, signOffer, soldRoute } from "./offerReceipt.js";

/** One signed offer is given out for this long; the tickets beside it live four times as long. */
const OFFER_REUSE_MS = 30_000;
const MAX_OFFERS = 500;

/**
 * What a challenge says beyond the price: how to call (bazaar), that a payer may name its purchase (payment-identifier),
 * and the price once more, signed (offer-receipt). Clients send all of it back in a header, so it is kept small.
 */
export interface Extensions {
  /** `path` shows whether a deprecated name was called; the offer ends with the ticket or quote, or before. */
  describe(
    soldId: string,
    path: string,
    requirements: PaymentRequirements,
    expiresAtMs: number,
  ): Record<string, unknown>;
}

export function createExtensions(signer: DigestSigner, settings: { readonly publicUrl: string }): Extensions {
  const offers = new Map<string, { readonly offer: unknown; readonly madeAtMs: number }>();
  const paymentIdentifier = declarePaymentIdentifierExtension(false);

  const sign = (soldId: string, requirements: PaymentRequirements, expiresAtMs: number) =>
    signOffer(signer, soldRoute(settings.publicUrl, soldId), requirements, Math.floor(expiresAtMs / 1000));

  function findOffer(soldId: string, requirements: PaymentRequirements, expiresAtMs: number): unknown {
    // A quote is one wallet's, and ends at its own time.
    if ("quoteId" in requirements.extra) return sign(soldId, requirements, expiresAtMs);
    const key = `${soldId} ${requirements.amount}`;
    const nowMs = Date.now();
    const known = offers.get(key);
    if (known && nowMs - known.madeAtMs < OFFER_REUSE_MS) return known.offer;
    const offer = sign(soldId, requirements, expiresAtMs);
    offers.delete(key);
    offers.set(key, { offer, madeAtMs: nowMs });
    if (offers.size > MAX_OFFERS) offers.delete(offers.keys().next().value as string);
    return offer;
  }

  return {
    describe: (soldId, path, requirements, expiresAtMs) => ({
      ...discoveryExtensionOf(soldId, path),
      [PAYMENT_IDENTIFIER]: paymentIdentifier,
      [OFFER_RECEIPT]: {
        info: { offers: [findOffer(soldId, requirements, expiresAtMs)] },
        schema: OFFERS_SCHEMA,
      },
    }),
  };
}

const OFFERS_SCHEMA = {
  type: "object",
  properties: { offers: { type: "array", items: { type: "object", required: ["format", "signature"] } } },
  required: ["offers"],
};
