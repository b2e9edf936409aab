import { hashCanonical } from "./hashText.js";
import { CHAIN_ID, type Hex, NETWORK, type Verdict } from "./primitives.js";

export interface ArtifactBlock {
  readonly number: number;
  readonly hash: Hex;
  /** Unix seconds of the header. */
  readonly timestamp: number;
}

/** What an artifact id commits to: enough for anyone to recompute the verdict. */
export interface Artifact {
  readonly capabilityId: string;
  readonly capabilityVersion: string;
  readonly network: typeof NETWORK;
  readonly input: Readonly<Record<string, unknown>>;
  readonly readings: Readonly<Record<string, unknown>>;
  readonly verdict: Verdict;
  readonly block: ArtifactBlock;
  readonly validUntilBlock: number;
  /** 128 random bits of a private answer: who sees the id alone cannot try out what was asked. */
  readonly salt?: string;
}

export function artifactIdOf(artifact: Artifact): string {
  return hashCanonical(artifact);
}

/** Identifies a question: same capability, version, network and normalized input. */
export function inputHashOf(capabilityId: string, capabilityVersion: string, input: unknown): string {
  return hashCanonical({ capabilityId, capabilityVersion, network: NETWORK, input });
}

/** Hash of the answer: the verdict and the whole result object. */
export function resultHashOf(verdict: Verdict, result: unknown): string {
  return hashCanonical({ verdict, result });
}

export interface EvidenceStatement {
  readonly capabilityId: string;
  readonly capabilityVersion: string;
  readonly invocationId: string;
  readonly inputHash: string;
  readonly resultHash: string;
  readonly artifactId: string;
  readonly blockHash: Hex;
  readonly computedAtBlock: number;
  readonly validUntilBlock: number;
}

const asBytes32 = (sha256Id: string): Hex => `0x${sha256Id.slice("sha256:".length)}`;

/** EIP-712 form of the statement the service signs on every result. */
export function evidenceTypedData(statement: EvidenceStatement) {
  return {
    domain: { name: "Assay Evidence", version: "1", chainId: CHAIN_ID },
    types: {
      EvidenceStatement: [
        { name: "capabilityId", type: "string" },
        { name: "capabilityVersion", type: "string" },
        { name: "invocationId", type: "string" },
        { name: "inputHash", type: "bytes32" },
        { name: "resultHash", type: "bytes32" },
        { name: "artifactId", type: "bytes32" },
        { name: "blockHash", type: "bytes32" },
        { name: "computedAtBlock", type: "uint256" },
        { name: "validUntilBlock", type: "uint256" },
      ],
    },
    primaryType: "EvidenceStatement",
    message: {
      ...statement,
      inputHash: asBytes32(statement.inputHash),
      resultHash: asBytes32(statement.resultHash),
      artifactId: asBytes32(statement.artifactId),
      computedAtBlock: BigInt(statement.computedAtBlock),
      validUntilBlock: BigInt(statement.validUntilBlock),
    },
  } as const;
}
