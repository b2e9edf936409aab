import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { cutResult, joinResult } from "../evidence/cutResult.js";

/**
 * The answer of a later sale differs from that of the first by its ids, its price and its signature. What is the same is
 * cut out and the rest compressed with the first answer as its dictionary (RFC 1951), so that a sale costs some hundred bytes.
 * Whatever version of zlib packed it, unpacking gives the same bytes for ever. `rest` and `firstRest` are the two without
 * what is the same.
 */
export const packBody = (rest: string, firstRest: string): Buffer => pack(rest, firstRest);

/** The exact text that was packed, from the bytes of the first sale. */
export function unpackBody(packed: Buffer, firstBody: string): string {
  const { shared, rest } = cutResult(firstBody);
  return joinResult(unpack(packed, rest), shared);
}

/** Words of every PAYMENT-RESPONSE. What was packed with them needs them for ever: never change this text. */
const PAYMENT_RESPONSE_WORDS =
  '/api/v1/claims/api/v1/capabilities/.guard/invoke"issuedAt":17,"signature":"0x{"success":true,"payer":"0x","transaction":"0x","network":"eip155:8453","amount":"10000","extensions":{"offer-receipt":{"info":{"receipt":{"format":"eip712","payload":{"version":1,"network":"eip155:8453","resourceUrl":"https://';

/** What the call's own row says too. */
interface KnownOfCall {
  readonly payer: string;
  readonly capabilityId: string;
}

const wordsOf = ({ payer, capabilityId }: KnownOfCall) =>
  `${payer} ${capabilityId} ${PAYMENT_RESPONSE_WORDS}`;

/** PAYMENT-RESPONSE is standard base64 of JSON. */
export const packPaymentResponse = (json: string, call: KnownOfCall): Buffer => pack(json, wordsOf(call));

export const unpackPaymentResponse = (packed: Buffer, call: KnownOfCall): string =>
  Buffer.from(unpack(packed, wordsOf(call))).toString("base64");

/** A small window and little memory: the texts are short, and setting up a larger state would take longer than the work. */
const options = { level: constants.Z_BEST_COMPRESSION, windowBits: 13, memLevel: 6 };

const pack = (text: string, words: string): Buffer =>
  deflateRawSync(text, { ...options, dictionary: Buffer.from(words) });

const unpack = (packed: Buffer, words: string): string =>
  inflateRawSync(packed, { dictionary: Buffer.from(words) }).toString("utf8");
