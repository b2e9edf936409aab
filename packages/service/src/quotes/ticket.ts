import { createCipheriv, createHmac, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import { type CacheStatus, cacheStatusSchema } from "@assay/protocol";
import { z } from "zod";

/** A price offer that the service can recognise later without having stored it. */
export interface Ticket {
  readonly capabilityId: string;
  /** Null in the answer to a bare probe, which names a ceiling and no input. */
  readonly inputHash: string | null;
  readonly priceMicroUsd: bigint;
  readonly cacheStatus: CacheStatus;
  readonly expiresAtMs: number;
  /**
   * Known to the caller who was given this ticket and to nobody else: it never reaches the chain, a receipt or a log. Who
   * sends a payment again shows by it that the answer was theirs.
   */
  readonly buyerSecret: string;
}

const SECRET_BYTES = 16;

/** 128 random bits, as text that fits into a URL. */
export const newBuyerSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

const termsSchema = z.tuple([
  z.string(),
  z.string().nullable(),
  z.string().regex(/^[0-9]{1,18}$/),
  cacheStatusSchema,
  z.int(),
]);

/**
 * Tags of secrets, each as long as its secret. A secret is one block of AES, and its tag that block under a key of its own for
 * each offer: a MAC for messages of one length. So most of the cost is one for any number of tickets for the same offer.
 */
function tagAll(key: KeyObject, terms: string, secrets: Buffer): Buffer {
  const keyOfTerms = createHmac("sha256", key).update(terms).digest();
  return createCipheriv("aes-256-ecb", keyOfTerms, null).setAutoPadding(false).update(secrets);
}

/** A ticket is three words: what is offered, the buyer's secret, and its tag. */
function join(terms: string, secrets: Buffer, tags: Buffer, start = 0): string {
  const end = start + SECRET_BYTES;
  return `${terms}.${secrets.toString("base64url", start, end)}.${tags.toString("base64url", start, end)}`;
}

export function encodeTicket(key: KeyObject, ticket: Ticket): string {
  const { capabilityId, inputHash, priceMicroUsd, cacheStatus, expiresAtMs, buyerSecret } = ticket;
  const fields = [capabilityId, inputHash, String(priceMicroUsd), cacheStatus, expiresAtMs];
  const terms = Buffer.from(JSON.stringify(fields)).toString("base64url");
  const secret = Buffer.from(buyerSecret, "base64url");
  return join(terms, secret, tagAll(key, terms, secret));
}

/** Tickets of a series that are made at once. */
const SERIES = 32;

/** The same offer for one caller after another, each under a secret of its own. All are as long as `ticket`. */
export function createSeries(key: KeyObject, ticket: string): () => string {
  const terms = ticket.slice(0, ticket.indexOf("."));
  let secrets: Buffer = Buffer.alloc(0);
  let tags = secrets;
  let next = 0;
  return () => {
    if (next === secrets.length) {
      secrets = randomBytes(SERIES * SECRET_BYTES);
      tags = tagAll(key, terms, secrets);
      next = 0;
    }
    next += SECRET_BYTES;
    return join(terms, secrets, tags, next - SECRET_BYTES);
  };
}

/** The ticket, or undefined when this service did not write it. The caller checks its expiry. */
export function findTicket(key: KeyObject, text: string): Ticket | undefined {
  const [terms, buyerSecret, tag, ...rest] = text.split(".");
  if (!terms || !buyerSecret || !tag || rest.length > 0) return undefined;
  const secret = Buffer.from(buyerSecret, "base64url");
  if (secret.length !== SECRET_BYTES) return undefined;
  // Compared as text: base64 has several spellings of the same bytes, and one ticket must have one text.
  const given = Buffer.from(text);
  const expected = Buffer.from(join(terms, secret, tagAll(key, terms, secret)));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const parsed = termsSchema.safeParse(JSON.parse(Buffer.from(terms, "base64url").toString()));
  if (!parsed.success) return undefined;
  const [capabilityId, inputHash, price, cacheStatus, expiresAtMs] = parsed.data;
  return { capabilityId, inputHash, priceMicroUsd: BigInt(price), cacheStatus, expiresAtMs, buyerSecret };
}
