import {
  type ChallengeJudgement,
  checkEvidenceBlock,
  decidingBlock,
  judgeChallenge,
} from "@assay/capabilities";
import type { Chain } from "@assay/chain";
import {
  AssayError,
  type Assertion,
  type ChallengeAnswer,
  type ChallengeEvidence,
  type ChallengeRecord,
  type ClaimStatus,
  canonicalClaimSchema,
  type Hex,
  usdFromMicro,
} from "@assay/protocol";
import { type SignedAction, spendNonce } from "../actions/signedAction.js";
import type { BaseContext } from "../base/context.js";
import { appendLeaves, UNRECORDED } from "../log/appendLeaves.js";
import type { Queryable } from "../store/database.js";
import { challengeLeaf, createChallenge, getChallenge, newChallengeId } from "./challengeRecords.js";
import { observeAssertion } from "./observeAssertion.js";
import { falsifyClaim, holdOpen, surviveClaim, verdictLeaf } from "./resolveClaim.js";

/** The part of a claim that a challenge to it needs. */
interface ChallengedClaim {
  readonly claimId: Hex;
  readonly assertion: Assertion;
  readonly opener: Hex;
  readonly rewardMicroUsd: bigint;
  /** Whether it could be falsified when it was read. */
  readonly isOpen: boolean;
}

/** Throws `not_found`. */
export async function getChallengedClaim(db: Queryable, claimId: Hex): Promise<ChallengedClaim> {
  const [row] = await db.query<{
    canonical: string;
    opener: Hex;
    reward_micro_usd: bigint;
    is_open: boolean;
  }>({
    name: "claim_challenged",
    text: `SELECT canonical, opener, reward_micro_usd, status = 'open' AND deadline > now() AS is_open
           FROM claims WHERE claim_id = $1`,
    values: [claimId],
  });
  if (!row) throw new AssayError("not_found", "No claim has that id.");
  const { assertion } = canonicalClaimSchema.parse(JSON.parse(row.canonical));
  const { opener, reward_micro_usd: rewardMicroUsd, is_open: isOpen } = row;
  return { claimId, assertion, opener, rewardMicroUsd, isOpen };
}

/**
 * Judges a counterexample by the chain alone, and records it together with what it does to the claim. Where the chain
 * could not be read, throws `chain_unavailable`, with nothing recorded and the nonce unspent.
 */
export async function challengeClaim(
  context: BaseContext,
  claim: ChallengedClaim,
  evidence: ChallengeEvidence,
  signed: SignedAction,
): Promise<ChallengeAnswer> {
  const { claimId } = claim;
  const judged = claim.isOpen ? await judge(context.chain, claim.assertion, evidence) : undefined;
  return context.database.transaction(async (tx) => {
    await spendNonce(tx, signed);
    const recorded = judged && (await record(tx, claimId, { ...judged, evidence, wallet: signed.wallet }));
    const answer = recorded
      ? { ...judged, ...recorded, reward: rewardOf(claim, recorded.challenge) }
      : { ...(await describeResolved(tx, claimId)), challenge: null, reward: null };
    context.failpoints.reach("inside_challenge");
    const { resolution, reason, claimStatus, challenge, reward } = answer;
    return { claimId, resolution, reason, claimStatus, challenge, reward };
  });
}

interface Judged extends ChallengeJudgement {
  readonly observed: NonNullable<ChallengeRecord["observed"]>;
}

async function judge(chain: Chain, assertion: Assertion, evidence: ChallengeEvidence): Promise<Judged> {
  const block = decidingBlock(assertion, evidence);
  const outside = checkEvidenceBlock(assertion, evidence);
  // The chain was not read, so there is no block hash.
  if (outside) return { ...outside, observed: { block, blockHash: null } };
  const observation = await observeAssertion(chain, assertion, block);
  if (observation.status === "undetermined") {
    const rule = `is a block at which the chain leaves the implementation open: ${observation.missing} gave no address`;
    throw new AssayError("invalid_input", `block ${rule}.`, { fields: [{ field: "block", rule }] });
  }
  return { ...judgeChallenge(assertion, evidence, observation.observed), observed: observation.observed };
}

/** Undefined when the claim was resolved before this challenge could be recorded. */
async function record(
  tx: Queryable,
  claimId: Hex,
  judged: Judged & { readonly evidence: ChallengeEvidence; readonly wallet: Hex },
): Promise<{ readonly challenge: ChallengeRecord; readonly claimStatus: ClaimStatus } | undefined> {
  const challengeId = newChallengeId();
  const isValid = judged.resolution === "counterexample_valid";
  const verdict = isValid ? await falsifyClaim(tx, claimId, challengeId) : undefined;
  if (!verdict && (isValid || !(await holdOpen(tx, claimId)))) return undefined;
  const created = await createChallenge(tx, { ...judged, challengeId, claimId });
  await appendLeaves(tx, [challengeLeaf(claimId, created), ...(verdict ? [verdictLeaf(verdict)] : [])], {
    name: "log_challenge",
    text: "UPDATE challenges SET log_index = leaf_index FROM appended WHERE challenge_id = subject",
  });
  return { challenge: await getChallenge(tx, challengeId), claimStatus: verdict?.status ?? "open" };
}

/** A claim whose deadline has passed has survived, even before that is recorded. */
async function describeResolved(tx: Queryable, claimId: Hex) {
  const survived = await surviveClaim(tx, claimId);
  if (survived) await appendLeaves(tx, [verdictLeaf(survived)], UNRECORDED);
  const [row] = await tx.query<{ status: ClaimStatus; resolved_at: Date }>({
    name: "claim_standing",
    text: "SELECT status, resolved_at FROM claims WHERE claim_id = $1",
    values: [claimId],
  });
  if (!row) throw new Error(`claim ${claimId} is gone`);
  return {
    resolution: "already_resolved" as const,
    reason: `the claim has ${row.status === "survived" ? "survived" : "been falsified"} since ${row.resolved_at.toISOString()}`,
    claimStatus: row.status,
  };
}

/** States what the two parties settle between them: no money passes through the service. */
function rewardOf(
  { opener, rewardMicroUsd }: ChallengedClaim,
  { resolution, wallet }: ChallengeRecord,
): ChallengeAnswer["reward"] {
  if (resolution !== "counterexample_valid") return null;
  return {
    rewardOwedBy: opener,
    rewardOwedTo: wallet,
    rewardUsd: usdFromMicro(rewardMicroUsd),
    note: "Owed by the opener to the challenger, and paid between them: the service holds and moves no reward.",
  };
}
