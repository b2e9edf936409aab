import { hexToBytes } from "viem";
import { addressOfSpki, readDerSignature } from "./derKeys.js";
import { loadOptional } from "./loadOptional.js";
import type { RemoteKey } from "./remoteSigner.js";

/** Where the service is reached, when not at its public address: host, port and protocol of a URL. */
const placeOf = (endpoint: string | undefined) => {
  if (endpoint === undefined) return {};
  const { hostname, port, protocol } = new URL(endpoint);
  const name = protocol.replace(":", "");
  return { apiEndpoint: hostname, port: Number(port || (name === "https" ? 443 : 80)), protocol: name };
};

/**
 * A version of an asymmetric key of Google Cloud KMS with the algorithm EC_SIGN_SECP256K1_SHA256, named by its whole path. Credentials
 * are found as Google's libraries find them. Throws where the key cannot be read or is of another kind.
 */
export async function openGcpKey(version: string, endpoint: string | undefined): Promise<RemoteKey> {
  const { KeyManagementServiceClient } = await loadOptional(
    "@google-cloud/kms",
    () => import("@google-cloud/kms"),
  );
  // HTTP instead of gRPC: one request at a time needs no stream, and proxies let it through.
  const client = new KeyManagementServiceClient({ ...placeOf(endpoint), fallback: true });
  try {
    const [{ pem, algorithm }] = await client.getPublicKey({ name: version });
    if (!pem) throw new Error(`Google Cloud KMS gave no public key (algorithm ${algorithm})`);
    return {
      address: addressOfSpki(pem),
      place: `Google Cloud KMS ${version}`,
      async ask(_preimage, digest) {
        // Any 32 bytes: what is called a SHA-256 digest is not hashed again.
        const [{ signature }] = await client.asymmetricSign({
          name: version,
          digest: { sha256: hexToBytes(digest) },
        });
        if (!signature || typeof signature === "string")
          throw new Error("Google Cloud KMS gave no signature");
        return readDerSignature(signature);
      },
      close: () => void client.close().catch(() => undefined),
    };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}
