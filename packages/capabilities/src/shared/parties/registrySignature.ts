import { canonicalJson, type Hex } from "@assay/protocol";
import { ed25519 } from "@noble/curves/ed25519";
import { hexToBytes, stringToBytes } from "viem";

/**
 * The key that signs the registry. Those who change the registry sign it again (`signRegistry.mjs`); those without access
 * to the key state a new one here, which a reviewer sees.
 */
export const registryKey: Hex = "0xc997dca843d45dcc3ffc2cc4e94fb449034031c9662ac1f6d4b75266c2e58266";

/** Whether the key signed these parties and account codes: the RFC 8785 text of both, by Ed25519. */
export function isRegistrySigned(
  registry: unknown,
  accountCodes: unknown,
  signature: Hex,
  key: Hex = registryKey,
): boolean {
  const message = stringToBytes(canonicalJson({ registry, accountCodes }));
  try {
    return ed25519.verify(hexToBytes(signature), message, hexToBytes(key));
  } catch {
    // Not the form of a signature or of a key.
    return false;
  }
}
