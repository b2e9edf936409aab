import { type EvidenceStatement, evidenceTypedData, type Hex } from "@assay/protocol";
import { hashTypedData } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { signDigest, toSignatureHex } from "../secp256k1.js";

/** The key that answers for every result. */
export interface EvidenceSigner {
  readonly address: Hex;
  sign(statement: EvidenceStatement): Hex;
}

export function createEvidenceSigner(privateKey: Hex): EvidenceSigner {
  return {
    address: privateKeyToAddress(privateKey),
    sign: (statement) => toSignatureHex(signDigest(privateKey, hashTypedData(evidenceTypedData(statement)))),
  };
}
