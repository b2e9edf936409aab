import type { PaymentRequired } from "@assay/protocol";
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
    accepts: PaymentRequired["accepts"],
    expiresAtMs: number,
  ): Record<string, unknown>;
}

export function createExtensions(signer: DigestSigner, settings: { readonly publicUrl: string }): Extensions {
  const offers = new Map<string, { readonly offers: unknown[]; readonly madeAtMs: number }>();
  const paymentIdentifier = declarePaymentIdentifierExtension(false);

  const sign = (soldId: string, accepts: PaymentRequired["accepts"], expiresAtMs: number): unknown[] => {
    const resourceUrl = soldRoute(settings.publicUrl, soldId);
    return accepts.map((terms, index) =>
      signOffer(signer, resourceUrl, terms, index, Math.floor(expiresAtMs / 1000)),
    );
  };

  function findOffers(soldId: string, accepts: PaymentRequired["accepts"], expiresAtMs: number): unknown[] {
    const [requirements] = accepts;
    // A quote is one wallet's, and ends at its own time.
    if ("quoteId" in requirements.extra) return sign(soldId, accepts, expiresAtMs);
    const key = `${soldId} ${requirements.amount}`;
    const nowMs = Date.now();
    const known = offers.get(key);
    if (known && nowMs - known.madeAtMs < OFFER_REUSE_MS) return known.offers;
    const made = sign(soldId, accepts, expiresAtMs);
    offers.delete(key);
    offers.set(key, { offers: made, madeAtMs: nowMs });
    if (offers.size > MAX_OFFERS) offers.delete(offers.keys().next().value as string);
    return made;
  }

  return {
    describe: (soldId, path, accepts, expiresAtMs) => ({
      ...discoveryExtensionOf(soldId, path),
      [PAYMENT_IDENTIFIER]: paymentIdentifier,
      [OFFER_RECEIPT]: {
        info: { offers: findOffers(soldId, accepts, expiresAtMs) },
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
