import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { checkpointText, formatCheckpoint, type Hex } from "@assay/protocol";

/** The key that answers for the log's heads. */
export interface LogSigner {
  /** The log's name, first line of every checkpoint. */
  readonly origin: string;
  /** Ed25519, 32 bytes in base64. */
  readonly publicKey: string;
  /** The signed note of a head. */
  sign(head: { readonly size: number; readonly root: Hex }): string;
}

/** DER of an Ed25519 private key up to its 32 bytes (RFC 8410 section 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * `seed` is the private key as RFC 8032 has it. The log is named after the address that signs results and after the
 * database it began in: a log that starts again under the same key is another log, not the old one cut short.
 */
export function createLogSigner(seed: Buffer, signingAddress: Hex, logId: string): LogSigner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  const { x } = createPublicKey(key).export({ format: "jwk" });
  const publicKey = Buffer.from(x as string, "base64url");
  const origin = `assay/${signingAddress.toLowerCase()}/${logId}`;
  return {
    origin,
    publicKey: publicKey.toString("base64"),
    sign({ size, root }) {
      const checkpoint = { origin, size, root };
      return formatCheckpoint(
        checkpoint,
        publicKey,
        sign(null, Buffer.from(checkpointText(checkpoint)), key),
      );
    },
  };
}
