import { type EvidenceStatement, evidenceTypedData, type Hex } from "@assay/protocol";
import { privateKeyToAccount } from "viem/accounts";

/** The key that answers for every result. */
export interface EvidenceSigner {
  readonly address: Hex;
  sign(statement: EvidenceStatement): Promise<Hex>;
}

export function createEvidenceSigner(privateKey: Hex): EvidenceSigner {
  const account = privateKeyToAccount(privateKey);
  return {
    address: account.address,
    sign: (statement) => account.signTypedData(evidenceTypedData(statement)),
  };
}
