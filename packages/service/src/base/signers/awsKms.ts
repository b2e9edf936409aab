import { hexToBytes } from "viem";
import { addressOfSpki, readDerSignature } from "./derKeys.js";
import { loadOptional } from "./loadOptional.js";
import type { RemoteKey } from "./remoteSigner.js";

/** Once more where a request failed: a throttled caller is asked to slow down, and our deadline is short. */
const MAX_ATTEMPTS = 2;

/**
 * An asymmetric key of AWS KMS with key spec ECC_SECG_P256K1, named by id, ARN or alias. Region, credentials and address come from
 * the environment as the SDK reads it. Throws where the key cannot be read or is of another kind.
 */
export async function openAwsKey(keyId: string): Promise<RemoteKey> {
  const { KMSClient, GetPublicKeyCommand, SignCommand } = await loadOptional(
    "@aws-sdk/client-kms",
    () => import("@aws-sdk/client-kms"),
  );
  const client = new KMSClient({ maxAttempts: MAX_ATTEMPTS });
  try {
    const { PublicKey: spki } = await client.send(new GetPublicKeyCommand({ KeyId: keyId }));
    if (!spki) throw new Error("AWS KMS gave no public key");
    return {
      address: addressOfSpki(spki),
      place: `AWS KMS ${keyId}`,
      async ask(_preimage, digest, abortSignal) {
        const command = new SignCommand({
          KeyId: keyId,
          // Any 32 bytes: AWS does not hash again what is called a digest.
          Message: hexToBytes(digest),
          MessageType: "DIGEST",
          SigningAlgorithm: "ECDSA_SHA_256",
        });
        const { Signature: der } = await client.send(command, { abortSignal });
        if (!der) throw new Error("AWS KMS gave no signature");
        return readDerSignature(der);
      },
      close: () => client.destroy(),
    };
  } catch (error) {
    client.destroy();
    throw error;
  }
}
