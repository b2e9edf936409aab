import { checkWindow, decidingBlock, holdsAt, judgeChallenge } from "@assay/capabilities";
import {
  type ChallengeEvidence,
  type ChallengeRecord,
  type ClaimDetail,
  claimReceiptText,
  type Hex,
  survivalHashOf,
} from "@assay/protocol";
import type { ChainSource } from "./chain/askNode.js";
import { type BlockLook, observeAt } from "./chain/observeAt.js";
import { type ChainNode, openChainNode } from "./chain/openChainNode.js";
import { checkEvents } from "./checkEvents.js";
import {
  checkClaimId,
  checkClaimStatus,
  NOTHING,
  type RecomputationStep,
  step,
} from "./verifyClaimRecord.js";

export interface Recomputation {
  readonly claimId: Hex;
  /**
   * `holds`: true at both ends of the window and wherever upgrade events point, and no recorded challenge disproves it.
   * `falsified`: the chain shows it false. `contradicted`: the chain does not bear out what the service recorded.
   * `undecided`: the node did not tell enough.
   */
  readonly verdict: "holds" | "falsified" | "contradicted" | "undecided";
  readonly steps: readonly RecomputationStep[];
  /** Blocks of the window at which the chain said what it has; fewer than `windowBlocks` prove nothing of the others. */
  readonly blocksRead: number;
  readonly windowBlocks: number;
}

/**
 * Reaches the verdict on a claim or an obligation again, from what GET /api/v1/claims/{id} answered and a node of the
 * caller's choice. Nothing else is asked of the service.
 */
export async function recomputeClaim(claim: ClaimDetail, source: ChainSource): Promise<Recomputation> {
  const node = await openChainNode(source);
  const { assertion } = claim.claim;
  const looks = new Map<number, Promise<BlockLook>>();
  const look = (block: number): Promise<BlockLook> => {
    const known = looks.get(block) ?? observeAt(node, assertion, block);
    looks.set(block, known);
    return known;
  };
  const id = checkClaimId(claim);
  const findings = [checkEnd(claim, "toBlock", await look(assertion.toBlock))];
  // Code is claimed of the last block alone.
  if (assertion.type === "upgrade_window") {
    findings.push(checkEnd(claim, "fromBlock", await look(assertion.fromBlock)));
    const { ok, detail } = await checkEvents(node, assertion, look);
    findings.push(step("events", ok, detail));
  }
  const receipt = await checkReceipt(node, claim, await look(assertion.toBlock));
  const { step: challenges, disproves } = await checkChallenges(claim, look);
  const status = checkClaimStatus(claim);
  const records = [id, receipt, challenges, status];
  const steps = [id, ...findings, receipt, challenges, status];
  const seen = await Promise.all(looks.values());
  return {
    claimId: claim.claimId,
    verdict: conclude(records, findings, disproves),
    steps,
    blocksRead: seen.filter((one) => one.status === "observed").length,
    windowBlocks: assertion.type === "bytecode" ? 1 : assertion.toBlock - assertion.fromBlock + 1,
  };
}

/** A record that is wrong comes first: whatever it says about the claim, it cannot be relied on. */
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

function checkEnd({ claim }: ClaimDetail, name: "fromBlock" | "toBlock", look: BlockLook): RecomputationStep {
  const block = claim.assertion[name];
  if (look.status === "undetermined")
    return step(name, null, `At block ${block} the chain does not say: ${look.missing}.`);
  if (look.status === "unanswered")
    return step(name, null, `The node did not give ${look.missing} at block ${block}.`);
  const holds = holdsAt(claim.assertion, look.observed);
  return step(
    name,
    holds,
    `At block ${block} the chain has ${describe(look.observed)}${holds ? ", as claimed" : "; that is not what is claimed"}.`,
  );
}

function describe(
  observed: { implementation: Hex | null } | { bytecodeHash: Hex | null; bytecodeBytes: number },
): string {
  if ("implementation" in observed)
    return observed.implementation ? `implementation ${observed.implementation}` : "no implementation";
  return `${observed.bytecodeHash ? `code ${observed.bytecodeHash}` : "no code"} of ${observed.bytecodeBytes} bytes`;
}

/** The receipt's bytes follow from the claim and the chain, so they are written again, not asked for. */
async function checkReceipt(
  node: ChainNode,
  { claimId, claim, survivalHash }: ClaimDetail,
  atToBlock: BlockLook,
): Promise<RecomputationStep> {
  if (survivalHash === null) return step("receipt", null, `${NOTHING}: this claim has no receipt.`);
  const fromBlockHash = await node.findBlockHash(claim.assertion.fromBlock);
  if (atToBlock.status !== "observed" || !("implementation" in atToBlock.observed) || !fromBlockHash)
    return step("receipt", null, "The node did not give what the receipt is written from.");
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

/** Judges every listed challenge again. `disproves` when one of them is a counterexample, whatever was recorded. */
async function checkChallenges(
  { claim, challenges, challengesTotal }: ClaimDetail,
  look: (block: number) => Promise<BlockLook>,
): Promise<{ readonly step: RecomputationStep; readonly disproves: boolean }> {
  const counts = { agreed: 0, unread: 0 };
  const wrong: string[] = [];
  let disproves = false;
  for (const { challengeId, evidence: recorded, resolution, observed } of challenges) {
    const evidence = readEvidence(recorded);
    const outside = evidence && checkWindow(claim.assertion, evidence);
    const seen = evidence && !outside ? await look(decidingBlock(claim.assertion, evidence)) : undefined;
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

type Observed = Extract<BlockLook, { status: "observed" }>;

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
