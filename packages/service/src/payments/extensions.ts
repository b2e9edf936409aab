import { MAX_TIMEOUT_SECONDS, type PaymentRequirements } from "@assay/protocol";
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import { discoveryExtensionOf } from "./discoveryExtension.js";
import { type DigestSigner, OFFER_RECEIPT, signOffer, soldRoute } from "./offerReceipt.js";

/** One signed offer is given out for this long; it outlives that by far. */
const OFFER_REUSE_MS = 30_000;
const MAX_OFFERS = 500;

export interface ExtensionsContext {
  readonly signer: DigestSigner;
  readonly settings: { readonly publicUrl: string };
}

/**
 * What a challenge says beyond the price: how to call (bazaar), that a payer may name its purchase (payment-identifier),
 * and the price once more, signed (offer-receipt). Clients send all of it back in a header, so it is kept small.
 */
export interface Extensions {
  /** `path` tells a deprecated name, which is called otherwise. */
  describe(soldId: string, path: string, requirements: PaymentRequirements): Record<string, unknown>;
}

export function createExtensions({ signer, settings }: ExtensionsContext): Extensions {
  const offers = new Map<string, { readonly offer: unknown; readonly madeAtMs: number }>();
  const paymentIdentifier = declarePaymentIdentifierExtension(false);

  function findOffer(soldId: string, requirements: PaymentRequirements): unknown {
    const key = `${soldId} ${requirements.amount}`;
    const nowMs = Date.now();
    const known = offers.get(key);
    if (known && nowMs - known.madeAtMs < OFFER_REUSE_MS) return known.offer;
    const validUntil = Math.floor(nowMs / 1000) + MAX_TIMEOUT_SECONDS;
    const offer = signOffer(signer, soldRoute(settings.publicUrl, soldId), requirements, validUntil);
    offers.delete(key);
    offers.set(key, { offer, madeAtMs: nowMs });
    if (offers.size > MAX_OFFERS) offers.delete(offers.keys().next().value as string);
    return offer;
  }

  return {
    describe: (soldId, path, requirements) => ({
      ...discoveryExtensionOf(soldId, path),
      [PAYMENT_IDENTIFIER]: paymentIdentifier,
      [OFFER_RECEIPT]: { info: { offers: [findOffer(soldId, requirements)] }, schema: OFFERS_SCHEMA },
    }),
  };
}

const OFFERS_SCHEMA = {
  type: "object",
  properties: { offers: { type: "array", items: { type: "object", required: ["format", "signature"] } } },
  required: ["offers"],
};
