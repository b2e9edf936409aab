import { type Hex, keccak256 } from "@assay/protocol";
import { addressOfKey, type DigestSignature, signDigest } from "../secp256k1.js";

/**
 * A key of secp256k1 that signs. It is given the bytes whose Keccak-256 is signed, because some keepers of keys hash by
 * themselves. A key of this process answers at once, without a promise: nothing waits a turn of the event loop for it.
 */
export interface DigestSigner {
  readonly address: Hex;
  /** Where the key is, for reports of the operator. */
  readonly place: string;
  /** Whether signing asks another machine, which may be slow, dear or away. */
  readonly isRemote: boolean;
  /** Throws `signer_unavailable`, or rejects with it. A signature that is returned was verified. */
  sign(preimage: Hex): DigestSignature | Promise<DigestSignature>;
  /** Why a signature that was asked for now would certainly fail. */
  findTrouble(): string | undefined;
  /** Signs something worthless where it is not known whether the key answers. Throws in one sentence. */
  verifyReady(): Promise<void>;
  close(): void;
}

/** A key that this process holds. */
export function createLocalSigner(privateKey: Hex): DigestSigner {
  return {
    address: addressOfKey(privateKey),
    place: "a key of this process",
    isRemote: false,
    sign: (preimage) => signDigest(privateKey, keccak256(preimage)),
    findTrouble: () => undefined,
    verifyReady: async () => undefined,
    close: () => undefined,
  };
}
