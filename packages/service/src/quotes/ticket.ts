import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
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

/** 128 random bits, as text that fits into a URL. */
export const newBuyerSecret = (): string => randomBytes(16).toString("base64url");

const bodySchema = z.tuple([
  z.string(),
  z.string().nullable(),
  z.string().regex(/^[0-9]{1,18}$/),
  cacheStatusSchema,
  z.int(),
  z.string().regex(/^[A-Za-z0-9_-]{22}$/),
]);

const MAC_BYTES = 16;

function mac(secret: Buffer, body: string): Buffer {
  return createHmac("sha256", secret).update(body).digest().subarray(0, MAC_BYTES);
}

export function encodeTicket(secret: Buffer, ticket: Ticket): string {
  const { capabilityId, inputHash, priceMicroUsd, cacheStatus, expiresAtMs, buyerSecret } = ticket;
  const body = Buffer.from(
    JSON.stringify([capabilityId, inputHash, String(priceMicroUsd), cacheStatus, expiresAtMs, buyerSecret]),
  ).toString("base64url");
  return `${body}.${mac(secret, body).toString("base64url")}`;
}

/** The ticket, or undefined when this service did not write it. The caller checks its expiry. */
export function findTicket(secret: Buffer, text: string): Ticket | undefined {
  const [body, tag, ...rest] = text.split(".");
  if (!body || !tag || rest.length > 0) return undefined;
  // The tag is compared as text: base64 has several spellings of the same bytes.
  const given = Buffer.from(tag);
  const expected = Buffer.from(mac(secret, body).toString("base64url"));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const parsed = bodySchema.safeParse(JSON.parse(Buffer.from(body, "base64url").toString()));
  if (!parsed.success) return undefined;
  const [capabilityId, inputHash, price, cacheStatus, expiresAtMs, buyerSecret] = parsed.data;
  return { capabilityId, inputHash, priceMicroUsd: BigInt(price), cacheStatus, expiresAtMs, buyerSecret };
}
