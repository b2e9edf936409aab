import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { checkpointText, formatCheckpoint, type Hex } from "@assay/protocol";

/** The key that answers for the log's heads, and former ones that sign beside it for a while. */
export interface LogSigner {
  /** The log's name, first line of every checkpoint. */
  readonly origin: string;
  /** Ed25519, 32 bytes in base64; of the present key. */
  readonly publicKey: string;
  /** The signed note of a head. */
  sign(head: { readonly size: number; readonly root: Hex }): string;
  /** Whether a note of this head has a signature of each key. */
  hasSigned(note: string, head: { readonly size: number; readonly root: Hex }): boolean;
}

/** DER of an Ed25519 private key up to its 32 bytes (RFC 8410 section 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * `seeds` are private keys as RFC 8032 has them, the present one first. The log is named after the first address that signed results
 * and after the database it began in: a log that starts again under the same key is another log, not the old one cut short.
 *
 * A C2SP signed note may carry several signatures, and verifiers pass over those of keys that they do not know. So while keys are
 * rotated each head is signed by all of them, and clients of the former key need to know nothing of the new one.
 */
export function createLogSigner(seeds: readonly Buffer[], firstSigner: Hex, logId: string): LogSigner {
  const keys = seeds.map(readKey);
  const [present] = keys;
  if (!present) throw new RangeError("at least one key is needed");
  const origin = `assay/${firstSigner.toLowerCase()}/${logId}`;
  const signEach = ({ size, root }: { readonly size: number; readonly root: Hex }) => {
    const checkpoint = { origin, size, root };
    const text = Buffer.from(checkpointText(checkpoint));
    return keys.map(({ key, publicKey }) => formatCheckpoint(checkpoint, publicKey, sign(null, text, key)));
  };
  let lastAccepted = "";
  const lineOf = (note: string) => note.slice(note.indexOf("\n\n") + 2);
  return {
    origin,
    publicKey: present.publicKey.toString("base64"),
    sign(head) {
      const [first = "", ...others] = signEach(head);
      return [first, ...others.map(lineOf)].join("");
    },
    hasSigned(note, head) {
      if (note === lastAccepted) return true;
      // Ed25519 is deterministic, so signing again is the cheapest way to know.
      const isSigned =
        note.startsWith(`${origin}\n`) && signEach(head).every((own) => note.includes(lineOf(own)));
      if (isSigned) lastAccepted = note;
      return isSigned;
    },
  };
}

function readKey(seed: Buffer) {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  const { x } = createPublicKey(key).export({ format: "jwk" });
  return { key, publicKey: Buffer.from(x as string, "base64url") };
}
