import { type Hex, NETWORK, type PaymentRequirements } from "@assay/protocol";
import {
  createOfferDomain,
  createReceiptDomain,
  OFFER_TYPES,
  RECEIPT_TYPES,
} from "@x402/extensions/offer-receipt";
import { domainSeparator } from "viem";
import { createTypedDataHasher, type FlatStruct } from "../base/typedData.js";
import { CLAIM_OPENING } from "../claims/openClaim.js";

/** Signs with the key that answers for every result. */
export interface DigestSigner {
  signDigest(digest: Hex): Hex;
}

/** Extension offer-receipt of x402: what the service would sell, and that it was paid, each signed on its own. */
export const OFFER_RECEIPT = "offer-receipt";

const hashOffer = createTypedDataHasher(
  { primaryType: "Offer", fields: OFFER_TYPES.Offer as FlatStruct["fields"] },
  domainSeparator({ domain: createOfferDomain() }),
);
const hashReceipt = createTypedDataHasher(
  { primaryType: "Receipt", fields: RECEIPT_TYPES.Receipt as FlatStruct["fields"] },
  domainSeparator({ domain: createReceiptDomain() }),
);

/**
 * What an offer and its receipt say was sold: the route. The query of some private calls holds the question, so it
 * is left out; our own receipt binds the answer by its hash.
 */
export function soldRoute(publicUrl: string, soldId: string): string {
  const path = soldId === CLAIM_OPENING.id ? "/api/v1/claims" : `/api/v1/capabilities/${soldId}/invoke`;
  return `${publicUrl}${path}`;
}

export function signOffer(
  signer: DigestSigner,
  resourceUrl: string,
  { scheme, network, asset, payTo, amount }: PaymentRequirements,
  validUntilSeconds: number,
) {
  const terms = { resourceUrl, scheme, network, asset, payTo, amount };
  const signature = signer.signDigest(
    hashOffer({ ...terms, version: 1n, validUntil: BigInt(validUntilSeconds) }),
  );
  return {
    format: "eip712",
    acceptIndex: 0,
    payload: { version: 1, ...terms, validUntil: validUntilSeconds },
    signature,
  };
}

export function signReceipt(
  signer: DigestSigner,
  paid: { readonly resourceUrl: string; readonly payer: string; readonly transaction: string },
  issuedAtSeconds: number,
) {
  const terms = { network: NETWORK, ...paid };
  const hash = hashReceipt({ ...terms, version: 1n, issuedAt: BigInt(issuedAtSeconds) });
  const payload = { version: 1, ...terms, issuedAt: issuedAtSeconds };
  return { hash, receipt: { format: "eip712", payload, signature: signer.signDigest(hash) } };
}
