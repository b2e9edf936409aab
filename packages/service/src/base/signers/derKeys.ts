import { createPublicKey } from "node:crypto";
import { type Hex, keccak256 } from "@assay/protocol";
import { bytesToHex, getAddress } from "viem";

const INTEGER = 0x02;
const SEQUENCE = 0x30;
const SCALAR_BYTES = 32;

/** The address of a public key as key services give it: SubjectPublicKeyInfo (RFC 5280), in DER or PEM. */
export function addressOfSpki(spki: Uint8Array | string): Hex {
  const key = createPublicKey(
    typeof spki === "string" ? spki : { key: Buffer.from(spki), format: "der", type: "spki" },
  );
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (curve !== "secp256k1")
    throw new Error(`the key is of ${curve ?? key.asymmetricKeyType}, and must be of secp256k1`);
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return getAddress(`0x${keccak256(point).slice(-40)}`);
}

/** r and s of an ECDSA signature in DER (RFC 3279 section 2.2.3), 32 bytes each. Throws where it is not one. */
export function readDerSignature(der: Uint8Array): { readonly r: Hex; readonly s: Hex } {
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2) throw new Error("the signature is not DER");
  const [r, afterR] = readInteger(der, 2);
  const [s, end] = readInteger(der, afterR);
  if (end !== der.length) throw new Error("the signature is not DER");
  return { r, s };
}

function readInteger(der: Uint8Array, start: number): [Hex, number] {
  const length = der[start + 1] ?? 0;
  const end = start + 2 + length;
  const bytes = der.subarray(start + 2, end);
  const isWhole = der[start] === INTEGER && length > 0 && end <= der.length;
  // One zero byte stands before a number whose first bit is set.
  const digits = bytes[0] === 0 ? bytes.subarray(1) : bytes;
  if (!isWhole || digits.length > SCALAR_BYTES) throw new Error("the signature is not DER");
  const padded = new Uint8Array(SCALAR_BYTES);
  padded.set(digits, SCALAR_BYTES - digits.length);
  return [bytesToHex(padded), end];
}
