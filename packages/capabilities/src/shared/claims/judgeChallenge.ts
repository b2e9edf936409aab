import type { Assertion, ChallengeEvidence, ChallengeResolution, Hex } from "@assay/protocol";

/** The state of an assertion's subject at one block of the chain. */
export type ObservedSubjectState =
  | { readonly implementation: Hex | null }
  | { readonly bytecodeHash: Hex | null; readonly bytecodeBytes: number };

export interface ChallengeJudgement {
  readonly resolution: Exclude<ChallengeResolution, "already_resolved">;
  readonly reason: string;
}

/** The block that decides: the one the evidence names, or the one the claim does where evidence names none. */
export const decidingBlock = (assertion: Assertion, evidence: ChallengeEvidence): number =>
  "block" in evidence ? evidence.block : assertion.toBlock;

/** A judgement without reading the chain, where the evidence is about a block outside the claimed window. */
export function checkEvidenceBlock(
  { fromBlock, toBlock }: Assertion,
  evidence: ChallengeEvidence,
): ChallengeJudgement | undefined {
  if (!("block" in evidence) || (evidence.block >= fromBlock && evidence.block <= toBlock)) return undefined;
  return {
    resolution: "invalid_evidence",
    reason: `block ${evidence.block} is outside the claimed window ${fromBlock} to ${toBlock}`,
  };
}

/**
 * Judges evidence by the chain's state at the deciding block, and by nothing else. Evidence that the chain contradicts is
 * invalid. Evidence that the chain confirms either repeats the claim or shows that the claim is false.
 */
export function judgeChallenge(
  assertion: Assertion,
  evidence: ChallengeEvidence,
  observed: ObservedSubjectState,
): ChallengeJudgement {
  const outside = checkEvidenceBlock(assertion, evidence);
  if (outside) return outside;
  const at = `at block ${decidingBlock(assertion, evidence)}`;
  const [stated, claimed, seen] = [evidence, assertion, observed].map(describeState);
  if (stated !== seen)
    return {
      resolution: "invalid_evidence",
      reason: `the chain has ${seen} ${at}; the evidence says ${stated}`,
    };
  if (claimed === seen)
    return { resolution: "claim_correct", reason: `the chain has ${seen} ${at}, as was claimed` };
  return {
    resolution: "counterexample_valid",
    reason: `the chain has ${seen} ${at}, as the evidence says; the claim says ${claimed}`,
  };
}

/** Whether the assertion is true of the state that was observed. */
export const holdsAt = (assertion: Assertion, observed: ObservedSubjectState): boolean =>
  describeState(assertion) === describeState(observed);

/** One text for one state, so that states are equal exactly if their texts are. */
function describeState(state: Assertion | ChallengeEvidence | ObservedSubjectState): string {
  if ("implementation" in state)
    return state.implementation === null
      ? "no implementation"
      : `implementation ${state.implementation.toLowerCase()}`;
  return `${state.bytecodeHash === null ? "no code" : `code ${state.bytecodeHash}`} of ${state.bytecodeBytes} bytes`;
}
