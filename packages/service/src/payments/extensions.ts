import type { PaymentRequired } from "@assay/protocol";
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import { TICKET_LIFE_MS } from "../quotes/tariff.js";
import { discoveryExtensionOf } from "./discoveryExtension.js";
import { type BytesSigner, OFFER_RECEIPT, signOffer, soldRoute } from "./offerReceipt.js";

/** One signed offer is given out for this long; the tickets beside it live four times as long. */
const OFFER_REUSE_MS = 30_000;
/** It is good for at least this long, unless the ticket beside it ends earlier. */
const OFFER_LEFT_MS = 60_000;
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
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
}

type Offers = readonly unknown[];

/**
 * A key elsewhere is slow and each signature costs money, and callers who have not paid may ask for any number of challenges. So one
 * offer is signed there for all who are asked the same price within half a minute, by quote or not. Where it cannot be signed, a
 * challenge is as good without it, except for a payer who asks for the service's word on the payee.
 */
export function createExtensions(
  signer: BytesSigner & { readonly isRemote: boolean },
  settings: { readonly publicUrl: string },
): Extensions {
  const known = new Map<
    string,
    {
      readonly offers: Offers | Promise<Offers | undefined>;
      readonly madeAtMs: number;
      readonly expiresAtMs: number;
    }
  >();
  const paymentIdentifier = declarePaymentIdentifierExtension(false);

  const sign = (soldId: string, accepts: PaymentRequired["accepts"], expiresAtMs: number) => {
    const resourceUrl = soldRoute(settings.publicUrl, soldId);
    return accepts.map((terms, index) =>
      signOffer(signer, resourceUrl, terms, index, Math.floor(expiresAtMs / 1000)),
    );
  };

  function findOffers(soldId: string, accepts: PaymentRequired["accepts"], expiresAtMs: number) {
    const [requirements] = accepts;
    // A quote is one wallet's, and ends at its own time.
    if ("quoteId" in requirements.extra && !signer.isRemote) return sign(soldId, accepts, expiresAtMs);
    const key = `${soldId} ${requirements.amount}`;
    const nowMs = Date.now();
    const found = known.get(key);
    // A stored answer's price ends with it: the offer of the answer before has ended by now, or soon will.
    const isLasting = found && found.expiresAtMs >= Math.min(expiresAtMs, nowMs + OFFER_LEFT_MS);
    if (isLasting && nowMs - found.madeAtMs < OFFER_REUSE_MS) return found.offers;
    const endsAtMs = signer.isRemote ? nowMs + TICKET_LIFE_MS : expiresAtMs;
    const made = signer.isRemote
      ? Promise.all(sign(soldId, accepts, endsAtMs)).catch(() => {
          // The next caller asks again, and the signer says at once where it is in trouble.
          known.delete(key);
          return undefined;
        })
      : sign(soldId, accepts, endsAtMs);
    known.delete(key);
    known.set(key, { offers: made, madeAtMs: nowMs, expiresAtMs: endsAtMs });
    if (known.size > MAX_OFFERS) known.delete(known.keys().next().value as string);
    return made;
  }

  return {
    describe(soldId, path, accepts, expiresAtMs) {
      const others = {
        ...discoveryExtensionOf(soldId, path),
        [PAYMENT_IDENTIFIER]: paymentIdentifier,
      };
      const withOffers = (offers: Offers | undefined) =>
        offers ? { ...others, [OFFER_RECEIPT]: { info: { offers }, schema: OFFERS_SCHEMA } } : others;
      const offers = findOffers(soldId, accepts, expiresAtMs);
      return offers instanceof Promise ? offers.then(withOffers) : withOffers(offers);
    },
  };
}

const OFFERS_SCHEMA = {
  type: "object",
  properties: { offers: { type: "array", items: { type: "object", required: ["format", "signature"] } } },
  required: ["offers"],
};
