import { checkEvidenceBlock, decidingBlock, holdsAt, judgeChallenge } from "@assay/capabilities";
import {
  type ChallengeEvidence,
  type ChallengeRecord,
  type ClaimDetail,
  claimReceiptText,
  type Hex,
  survivalHashOf,
} from "@assay/protocol";
import type { ChainSource } from "./chain/askNode.js";
import { type BlockObservation, observeAt } from "./chain/observeAt.js";
import { type ChainNode, openChainNode } from "./chain/openChainNode.js";
import { checkClaimId, checkClaimStatus, NOTHING, type RecomputationStep, step } from "./checkClaimRecord.js";
import { checkEvents } from "./checkEvents.js";

export interface Recomputation {
  readonly claimId: Hex;
  /**
   * `holds`: true at both ends of the window and wherever upgrade events point, and no recorded challenge disproves it.
   * `falsified`: the chain shows it false. `contradicted`: the chain does not confirm what the service recorded.
   * `undecided`: the node did not answer enough.
   */
  readonly verdict: "holds" | "falsified" | "contradicted" | "undecided";
  readonly steps: readonly RecomputationStep[];
  /** Blocks of the window at which the state was read; fewer than `windowBlocks` prove nothing about the others. */
  readonly blocksRead: number;
  readonly windowBlocks: number;
}

/**
 * Computes the verdict on a claim or an obligation again, from the answer of GET /api/v1/claims/{id} and a node of the
 * caller's choice. The service is not asked for anything else.
 */
export async function recomputeClaim(claim: ClaimDetail, source: ChainSource): Promise<Recomputation> {
  const node = await openChainNode(source);
  const { assertion } = claim.claim;
  const observations = new Map<number, Promise<BlockObservation>>();
  const observe = (block: number): Promise<BlockObservation> => {
    const known = observations.get(block) ?? observeAt(node, assertion, block);
    observations.set(block, known);
    return known;
  };
  const id = checkClaimId(claim);
  const findings = [checkEnd(claim, "toBlock", await observe(assertion.toBlock))];
  // A claim about code is about the last block only.
  if (assertion.type === "upgrade_window") {
    findings.push(checkEnd(claim, "fromBlock", await observe(assertion.fromBlock)));
    const { ok, detail } = await checkEvents(node, assertion, observe);
    findings.push(step("events", ok, detail));
  }
  const receipt = await recomputeReceipt(node, claim, await observe(assertion.toBlock));
  const { step: challenges, disproves } = await checkChallenges(claim, observe);
  const status = checkClaimStatus(claim);
  const records = [id, receipt, challenges, status];
  const steps = [id, ...findings, receipt, challenges, status];
  const seen = await Promise.all(observations.values());
  return {
    claimId: claim.claimId,
    verdict: conclude(records, findings, disproves),
    steps,
    blocksRead: seen.filter((one) => one.status === "observed").length,
    windowBlocks: assertion.type === "bytecode" ? 1 : assertion.toBlock - assertion.fromBlock + 1,
  };
}

/** A wrong record comes first: nothing that it says about the claim can be relied on. */
function conclude(
  records: readonly RecomputationStep[],
  findings: readonly RecomputationStep[],
  disproves: boolean,
): Recomputation["verdict"] {
  if (records.some(({ ok }) => ok === false)) return "contradicted";
  if (disproves || findings.some(({ ok }) => ok === false)) return "falsified";
  const isOpen = [...findings, ...records].some(
    ({ ok, detail }) => ok === null && !detail.startsWith(NOTHING),
  );
  return isOpen ? "undecided" : "holds";
}

function checkEnd(
  { claim }: ClaimDetail,
  name: "fromBlock" | "toBlock",
  observation: BlockObservation,
): RecomputationStep {
  const block = claim.assertion[name];
  if (observation.status === "undetermined")
    return step(name, null, `At block ${block} the chain leaves it open: ${observation.missing}.`);
  if (observation.status === "unanswered")
    return step(name, null, `The node did not give ${observation.missing} at block ${block}.`);
  const holds = holdsAt(claim.assertion, observation.observed);
  return step(
    name,
    holds,
    `At block ${block} the chain has ${describe(observation.observed)}${holds ? ", as claimed" : "; that is not what is claimed"}.`,
  );
}

function describe(
  observed: { implementation: Hex | null } | { bytecodeHash: Hex | null; bytecodeBytes: number },
): string {
  if ("implementation" in observed)
    return observed.implementation ? `implementation ${observed.implementation}` : "no implementation";
  return `${observed.bytecodeHash ? `code ${observed.bytecodeHash}` : "no code"} of ${observed.bytecodeBytes} bytes`;
}

/** The receipt's bytes follow from the claim and the chain, so they are written again instead of being fetched. */
async function recomputeReceipt(
  node: ChainNode,
  { claimId, claim, survivalHash }: ClaimDetail,
  atToBlock: BlockObservation,
): Promise<RecomputationStep> {
  if (survivalHash === null) return step("receipt", null, `${NOTHING}: this claim has no receipt.`);
  const fromBlockHash = await node.findBlockHash(claim.assertion.fromBlock);
  if (atToBlock.status !== "observed" || !("implementation" in atToBlock.observed) || !fromBlockHash)
    return step("receipt", null, "The node did not give the blocks that the receipt names.");
  const text = claimReceiptText({
    claimId,
    claim,
    fromBlockHash,
    toBlockHash: atToBlock.blockHash,
    implementationAtToBlock: atToBlock.observed.implementation,
  });
  const hash = survivalHashOf(text);
  return hash === survivalHash
    ? step("receipt", true, `The receipt, written again from the chain, hashes to ${hash}.`)
    : step(
        "receipt",
        false,
        `The receipt, written again from the chain, hashes to ${hash}; recorded is ${survivalHash}.`,
      );
}

/** Judges every listed challenge again. `disproves` when one of them is a counterexample, whatever the record says. */
async function checkChallenges(
  { claim, challenges, challengesTotal }: ClaimDetail,
  observe: (block: number) => Promise<BlockObservation>,
): Promise<{ readonly step: RecomputationStep; readonly disproves: boolean }> {
  const counts = { agreed: 0, unread: 0 };
  const wrong: string[] = [];
  let disproves = false;
  for (const { challengeId, evidence: recorded, resolution, observed } of challenges) {
    const evidence = readEvidence(recorded);
    const outside = evidence && checkEvidenceBlock(claim.assertion, evidence);
    const seen = evidence && !outside ? await observe(decidingBlock(claim.assertion, evidence)) : undefined;
    if (!evidence || (seen && seen.status !== "observed")) {
      counts.unread += 1;
      continue;
    }
    const judged = outside ?? judgeChallenge(claim.assertion, evidence, (seen as Observed).observed);
    if (judged.resolution === "counterexample_valid") disproves = true;
    const sameBlock = seen?.status !== "observed" || observed?.blockHash === seen.blockHash;
    if (judged.resolution === resolution && sameBlock) counts.agreed += 1;
    else if (!sameBlock) wrong.push(`${challengeId} was judged at a block that the chain no longer has`);
    else wrong.push(`${challengeId} is recorded as ${resolution}, and is ${judged.resolution}`);
  }
  return { step: describeChallenges(challenges, challengesTotal, { ...counts, wrong }), disproves };
}

type Observed = Extract<BlockObservation, { status: "observed" }>;

function describeChallenges(
  listed: readonly ChallengeRecord[],
  total: number,
  { agreed, unread, wrong }: { agreed: number; unread: number; wrong: readonly string[] },
): RecomputationStep {
  if (wrong.length > 0) return step("challenges", false, `${wrong.join("; ")}.`);
  if (listed.length === 0) return step("challenges", null, `${NOTHING}: nobody has challenged it.`);
  const unlisted =
    total > listed.length ? ` ${total - listed.length} older ones are not in the response.` : "";
  return unread > 0
    ? step("challenges", null, `${unread} of ${listed.length} could not be judged again.${unlisted}`)
    : step("challenges", true, `${agreed} judged again, each with the recorded resolution.${unlisted}`);
}

function readEvidence(recorded: Readonly<Record<string, unknown>>): ChallengeEvidence | undefined {
  const { block, implementation, bytecodeHash, bytecodeBytes } = recorded;
  const isText = (value: unknown): value is string | null => value === null || typeof value === "string";
  if (typeof block === "number" && isText(implementation)) return { block, implementation };
  if (typeof bytecodeBytes === "number" && isText(bytecodeHash)) return { bytecodeHash, bytecodeBytes };
  return undefined;
}
