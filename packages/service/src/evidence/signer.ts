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

export function createEvidenceSigner(privateKey: Hex): EvidenceSigner {
  const sign = (digest: Hex) => toSignatureHex(signDigest(privateKey, digest));
  let digestOf: ReturnType<typeof createTypedDataHasher> | undefined;
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
    signDigest: sign,
  };
}
