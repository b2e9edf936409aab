import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** AES-256-GCM: 12 bytes of nonce, 16 of tag, then the text. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A private answer is kept for a retried payment only. Its key needs both the payment's signature, which the payer has
 * and the database does not, and the service's secret.
 */
export function sealResponse(secret: Buffer, signature: string, invocationId: string, body: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(secret, signature, invocationId), nonce);
  const sealed = Buffer.concat([cipher.update(body), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Undefined when the signature or the service's secret differs, or the bytes were changed. */
export function openResponse(
  secret: Buffer,
  signature: string,
  invocationId: string,
  sealed: Buffer,
): Buffer | undefined {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(secret, signature, invocationId), nonce);
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** RFC 5869; the signature's letter case is not part of it. */
function deriveKey(secret: Buffer, signature: string, invocationId: string): Buffer {
  const key = hkdfSync(
    "sha256",
    Buffer.from(signature.slice(2), "hex"),
    secret,
    `response ${invocationId}`,
    32,
  );
  return Buffer.from(key);
}
