import {
  createTypedDataHasher,
  type FlatStruct,
  type Hex,
  NETWORK,
  type PaymentRequired,
} from "@assay/protocol";
import {
  createOfferDomain,
  createReceiptDomain,
  OFFER_TYPES,
  RECEIPT_TYPES,
} from "@x402/extensions/offer-receipt";
import { domainSeparator } from "viem";
import { z } from "zod";
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
  { scheme, network, asset, payTo, amount }: PaymentRequired["accepts"][number],
  acceptIndex: number,
  validUntilSeconds: number,
) {
  const terms = { resourceUrl, scheme, network, asset, payTo, amount };
  const signature = signer.signDigest(
    hashOffer({ ...terms, version: 1n, validUntil: BigInt(validUntilSeconds) }),
  );
  return {
    format: "eip712",
    acceptIndex,
    payload: { version: 1, ...terms, validUntil: validUntilSeconds },
    signature,
  };
}

export function signReceipt(
  signer: DigestSigner,
  paid: { readonly resourceUrl: string; readonly payer: string; readonly transaction: string },
  issuedAtSeconds: number,
) {
  const payload = { version: 1, network: NETWORK, ...paid, issuedAt: issuedAtSeconds };
  const hash = hashPayload(payload);
  return { hash, receipt: { format: "eip712", payload, signature: signer.signDigest(hash) } };
}

const receiptPayloadSchema = z.object({
  version: z.int(),
  network: z.string(),
  resourceUrl: z.string(),
  payer: z.string(),
  transaction: z.string(),
  issuedAt: z.int(),
});

const hashPayload = ({ version, issuedAt, ...terms }: z.infer<typeof receiptPayloadSchema>): Hex =>
  hashReceipt({ ...terms, version: BigInt(version), issuedAt: BigInt(issuedAt) });

const paymentResponseSchema = z.object({
  extensions: z.object({
    [OFFER_RECEIPT]: z.object({ info: z.object({ receipt: z.object({ payload: receiptPayloadSchema }) }) }),
  }),
});

/** EIP-712 hash of the receipt inside a PAYMENT-RESPONSE that this service gave out. */
export function receiptHashOf(paymentResponse: string): Hex {
  const given = paymentResponseSchema.parse(JSON.parse(Buffer.from(paymentResponse, "base64").toString()));
  return hashPayload(given.extensions[OFFER_RECEIPT].info.receipt.payload);
}
