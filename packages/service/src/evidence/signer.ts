import { createTypedDataHasher, type EvidenceStatement, evidenceTypedData, type Hex } from "@assay/protocol";
import { domainSeparator } from "viem";
import { addressOfKey, signDigest, toSignatureHex } from "../base/secp256k1.js";

/** The key that answers for every result. */
export interface EvidenceSigner {
  readonly address: Hex;
  sign(statement: EvidenceStatement): Hex;
  /** 65 bytes over a digest that was made elsewhere. */
  signDigest(digest: Hex): Hex;
}

/**
 * The x402 receipts of a payer who calls several times in a second by voucher are the same, and so are their signatures, which are
 * deterministic (RFC 6979).
 */
const MAX_RECENT = 1_000;

export function createEvidenceSigner(privateKey: Hex): EvidenceSigner {
  const sign = (digest: Hex) => toSignatureHex(signDigest(privateKey, digest));
  let digestOf: ReturnType<typeof createTypedDataHasher> | undefined;
  const recent = new Map<Hex, Hex>();
  return {
    address: addressOfKey(privateKey),
    sign(statement) {
      const { domain, types, primaryType, message } = evidenceTypedData(statement);
      digestOf ??= createTypedDataHasher(
        { primaryType, fields: types.EvidenceStatement },
        domainSeparator({ domain }),
      );
      return sign(digestOf(message));
    },
    signDigest(digest) {
      const signature = recent.get(digest) ?? sign(digest);
      recent.set(digest, signature);
      if (recent.size > MAX_RECENT) recent.delete(recent.keys().next().value as Hex);
      return signature;
    },
  };
}
