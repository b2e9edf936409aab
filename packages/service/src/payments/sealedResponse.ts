import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** AES-256-GCM: 12 bytes of nonce, 16 of tag, then the text. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A private answer is kept for a retried payment only. Its key needs the payment as its buyer sent it, with the buyer's
 * secret in it, which neither the database nor the chain has, and the service's secret.
 */
export function sealResponse(secret: Buffer, payment: string, invocationId: string, body: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(secret, payment, invocationId), nonce);
  const sealed = Buffer.concat([cipher.update(body), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Undefined when the payment or the service's secret differs, or the bytes were changed. */
export function openResponse(
  secret: Buffer,
  payment: string,
  invocationId: string,
  sealed: Buffer,
): Buffer | undefined {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(secret, payment, invocationId), nonce);
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** RFC 5869. */
function deriveKey(secret: Buffer, payment: string, invocationId: string): Buffer {
  return Buffer.from(hkdfSync("sha256", Buffer.from(payment), secret, `response ${invocationId}`, 32));
}
