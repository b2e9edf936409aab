import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Loss } from "@assay/capabilities";
import { type Verdict, verdictSchema } from "@assay/protocol";
import { z } from "zod";

/** How a private call ended, without its question and its answer. */
export interface CallOutcome {
  readonly verdict: Verdict;
  /** What a blocked transaction or message would have taken. */
  readonly loss: Loss | null;
}

interface Owner {
  readonly wallet: string;
  readonly invocationId: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const textSchema = z.tuple([
  verdictSchema,
  z
    .string()
    .regex(/^\d{1,30}$/)
    .nullable(),
  z.boolean(),
]);

/**
 * The verdict of a private answer is its buyer's alone: the database has it only under a key that needs the service's secret,
 * and bound to the wallet and the call. AES-256-GCM: nonce, tag, text.
 */
export function sealOutcome(secret: Buffer, owner: Owner, { verdict, loss }: CallOutcome): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret, owner.wallet), nonce);
  cipher.setAAD(Buffer.from(owner.invocationId));
  const text = JSON.stringify([verdict, loss?.microUsd.toString() ?? null, loss?.isWhole ?? true]);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Opens outcomes of one wallet; what was sealed under none of these secrets, or changed, is undefined. */
export function createOutcomeReader(secrets: readonly Buffer[], wallet: string) {
  const keys = secrets.map((secret) => keyOf(secret, wallet));
  return (invocationId: string, sealed: Buffer): CallOutcome | undefined => {
    for (const key of keys) {
      const text = open(key, invocationId, sealed);
      if (text === undefined) continue;
      const [verdict, microUsd, isWhole] = textSchema.parse(JSON.parse(text));
      return { verdict, loss: microUsd === null ? null : { microUsd: BigInt(microUsd), isWhole } };
    }
    return undefined;
  };
}

function open(key: Buffer, invocationId: string, sealed: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    decipher.setAAD(Buffer.from(invocationId));
    const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

const keys = new Map<string, Buffer>();
const MOST_KEYS = 1_000;

/** RFC 5869. A wallet that buys once mostly buys again. */
function keyOf(secret: Buffer, wallet: string): Buffer {
  const name = `${secret.toString("latin1")} ${wallet}`;
  const known = keys.get(name);
  if (known) return known;
  if (keys.size >= MOST_KEYS) keys.delete(keys.keys().next().value as string);
  const key = Buffer.from(hkdfSync("sha256", secret, wallet, "outcome of a private call", 32));
  keys.set(name, key);
  return key;
}
