import {
  createTypedDataEncoder,
  type FlatStruct,
  type Hex,
  keccak256,
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
export interface BytesSigner {
  signBytes(preimage: Hex): Hex | Promise<Hex>;
}

/** Extension offer-receipt of x402: what the service would sell, and that it was paid, each signed on its own. */
export const OFFER_RECEIPT = "offer-receipt";

const encodeOffer = createTypedDataEncoder(
  { primaryType: "Offer", fields: OFFER_TYPES.Offer as FlatStruct["fields"] },
  domainSeparator({ domain: createOfferDomain() }),
);
const encodeReceipt = createTypedDataEncoder(
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

/** The offer, at once where the key is this process's. */
export function signOffer(
  signer: BytesSigner,
  resourceUrl: string,
  { scheme, network, asset, payTo, amount }: PaymentRequired["accepts"][number],
  acceptIndex: number,
  validUntilSeconds: number,
) {
  const terms = { resourceUrl, scheme, network, asset, payTo, amount };
  const signed = signer.signBytes(
    encodeOffer({ ...terms, version: 1n, validUntil: BigInt(validUntilSeconds) }),
  );
  const describe = (signature: Hex) => ({
    format: "eip712",
    acceptIndex,
    payload: { version: 1, ...terms, validUntil: validUntilSeconds },
    signature,
  });
  return typeof signed === "string" ? describe(signed) : signed.then(describe);
}

export async function signReceipt(
  signer: BytesSigner,
  paid: { readonly resourceUrl: string; readonly payer: string; readonly transaction: string },
  issuedAtSeconds: number,
) {
  const payload = { version: 1, network: NETWORK, ...paid, issuedAt: issuedAtSeconds };
  const preimage = encodePayload(payload);
  const signature = await signer.signBytes(preimage);
  return { hash: keccak256(preimage), receipt: { format: "eip712", payload, signature } };
}

const receiptPayloadSchema = z.object({
  version: z.int(),
  network: z.string(),
  resourceUrl: z.string(),
  payer: z.string(),
  transaction: z.string(),
  issuedAt: z.int(),
});

const encodePayload = ({ version, issuedAt, ...terms }: z.infer<typeof receiptPayloadSchema>): Hex =>
  encodeReceipt({ ...terms, version: BigInt(version), issuedAt: BigInt(issuedAt) });

const paymentResponseSchema = z.object({
  extensions: z.object({
    [OFFER_RECEIPT]: z.object({ info: z.object({ receipt: z.object({ payload: receiptPayloadSchema }) }) }),
  }),
});

/** EIP-712 hash of the receipt inside a PAYMENT-RESPONSE that this service gave out. */
export function receiptHashOf(paymentResponse: string): Hex {
  const given = paymentResponseSchema.parse(JSON.parse(Buffer.from(paymentResponse, "base64").toString()));
  return keccak256(encodePayload(given.extensions[OFFER_RECEIPT].info.receipt.payload));
}
