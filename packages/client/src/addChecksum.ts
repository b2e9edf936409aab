import type { ChallengeEvidence } from "@assay/protocol";
import { getAddress } from "viem";

/** The signed resource has addresses with their checksum (EIP-55). */
export function addChecksum(evidence: ChallengeEvidence): ChallengeEvidence {
  if (!("block" in evidence) || evidence.implementation === null) return evidence;
  return { block: evidence.block, implementation: getAddress(evidence.implementation) };
}
