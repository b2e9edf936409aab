import { type Hex, keccak256 } from "@assay/protocol";
import { bytesToHex, getAddress, hexToBytes } from "viem";
import { curve } from "./curve.js";

export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** Half the order of secp256k1; a larger s is the mirror image of a signature that was really made. */
export const HALF_ORDER = ORDER / 2n;

export interface DigestSignature {
  readonly r: Hex;
  readonly s: Hex;
  readonly yParity: 0 | 1;
}

/** The checksummed address of this key. The JavaScript curve would first make tables, a tenth of a second at every start. */
export function addressOfKey(privateKey: Hex): Hex {
  const key = curve.publicKeyOf(hexToBytes(privateKey));
  return getAddress(`0x${keccak256(key.subarray(1)).slice(-40)}`);
}

export function signDigest(privateKey: Hex, digest: Hex): DigestSignature {
  const { signature, recoveryId } = curve.sign(hexToBytes(digest), hexToBytes(privateKey));
  return {
    r: bytesToHex(signature.subarray(0, 32)),
    s: bytesToHex(signature.subarray(32, 64)),
    yParity: recoveryId === 0 ? 0 : 1,
  };
}

/** 65 bytes: r, s and v of 27 or 28. */
export function toSignatureHex({ r, s, yParity }: DigestSignature): Hex {
  return `0x${r.slice(2)}${s.slice(2)}${yParity === 0 ? "1b" : "1c"}`;
}

/**
 * The lowercase address whose key made this signature, or undefined. One encoding is accepted:
 * 65 bytes, low s, v of 27 or 28; every other spelling of the same signature is refused.
 */
export function findSigner(digest: Hex, signature: Hex): Hex | undefined {
  const bytes = hexToBytes(signature);
  const recoveryId = (bytes[64] ?? 0) - 27;
  if (bytes.length !== 65 || (recoveryId !== 0 && recoveryId !== 1)) return undefined;
  if (BigInt(bytesToHex(bytes.subarray(32, 64))) > HALF_ORDER) return undefined;
  try {
    const key = curve.recover(hexToBytes(digest), bytes.subarray(0, 64), recoveryId);
    return `0x${keccak256(key.subarray(1)).slice(-40)}`;
  } catch {
    return undefined;
  }
}
