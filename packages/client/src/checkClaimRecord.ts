import {
  type ClaimDetail,
  canonicalJson,
  claimIdOf,
  claimReceiptSchema,
  claimReceiptText,
  microUsdFromNumber,
  survivalHashOf,
} from "@assay/protocol";
import { type StepName, toVerification, type Verification, type VerificationStep } from "./verification.js";

export type RecomputationStepName =
  | "id"
  | "toBlock"
  | "fromBlock"
  | "events"
  | "receipt"
  | "challenges"
  | "status";

export interface RecomputationStep {
  readonly name: RecomputationStepName;
  /** Null when it could not be decided, or when there was nothing to decide. */
  readonly ok: boolean | null;
  readonly detail: string;
}

export const NOTHING = "Nothing to check";

export interface ClaimRecordOptions {
  /** The bytes of GET /api/v1/claims/{id}/receipt. Unless given, the receipt is not checked. */
  readonly receipt?: Uint8Array | undefined;
}

export const step = (name: RecomputationStepName, ok: boolean | null, detail: string): RecomputationStep => ({
  name,
  ok,
  detail,
});

/**
 * Checks a claim without a node: that the record is the claim that its id commits to, that the receipt's bytes are of the
 * same claim and hash to the survival hash, and that the status follows from the record.
 */
export async function checkClaimRecord(
  claim: ClaimDetail,
  { receipt }: ClaimRecordOptions = {},
): Promise<Verification> {
  return toVerification([
    toVerificationStep("id", checkClaimId(claim)),
    toVerificationStep("receipt", checkReceiptBytes(claim, receipt)),
    toVerificationStep("status", checkClaimStatus(claim)),
  ]);
}

const toVerificationStep = (name: StepName, { ok, detail }: RecomputationStep): VerificationStep => ({
  name,
  ok: ok !== false,
  checked: ok !== null,
  detail,
});

/** The id commits to the canonical claim; every other statement of the record about it must be the same. */
export function checkClaimId(record: ClaimDetail): RecomputationStep {
  const { claim, claimId, assertion, window, opener, deadline, kind, reward } = record;
  const hash = claimIdOf(claim);
  if (hash !== claimId)
    return step("id", false, `The claim hashes to ${hash}, and the record calls it ${claimId}.`);
  const { fromBlock, toBlock } = claim.assertion;
  const said = {
    assertion,
    opener,
    deadline,
    kind,
    rewardMicroUsd: String(microUsdFromNumber(reward.rewardUsd)),
    window: { fromBlock: window.fromBlock, toBlock: window.toBlock },
  };
  const committed = {
    assertion: claim.assertion,
    opener: claim.opener,
    deadline: claim.deadline,
    kind: claim.kind,
    rewardMicroUsd: claim.rewardMicroUsd,
    window: { fromBlock, toBlock },
  };
  return canonicalJson(said) === canonicalJson(committed)
    ? step("id", true, `keccak256 of the canonical claim is ${claimId}.`)
    : step("id", false, "The record differs from the claim that its id commits to.");
}

/** The times are the record's own: the log can prove their order, the chain cannot. */
export function checkClaimStatus({
  status,
  deadline,
  resolvedAt,
  challenges,
  winner,
}: ClaimDetail): RecomputationStep {
  const won = challenges.find(({ resolution }) => resolution === "counterexample_valid");
  const deadlineMs = Date.parse(deadline);
  if (status === "falsified") {
    const isOwed = won !== undefined && winner === won.wallet && Date.parse(won.submittedAt) < deadlineMs;
    return isOwed
      ? step("status", true, `Falsified by ${won.wallet} before the deadline.`)
      : step("status", false, "Recorded as falsified, without a counterexample of the winner in time.");
  }
  if (won) return step("status", false, `Recorded as ${status}, beside a valid counterexample.`);
  if (status === "open") return step("status", true, `Open to challenges until ${deadline}.`);
  return resolvedAt !== null && Date.parse(resolvedAt) >= deadlineMs
    ? step("status", true, `Not challenged with success until ${deadline}.`)
    : step("status", false, "Recorded as survived before its deadline.");
}

function checkReceiptBytes(
  { claimId, claim, survivalHash }: ClaimDetail,
  bytes: Uint8Array | undefined,
): RecomputationStep {
  if (survivalHash === null) return step("receipt", null, `${NOTHING}: this claim has no receipt.`);
  if (!bytes) return step("receipt", null, "Not checked: no bytes of the receipt were given.");
  const text = new TextDecoder().decode(bytes);
  const hash = survivalHashOf(text);
  if (hash !== survivalHash)
    return step("receipt", false, `The receipt hashes to ${hash}; recorded is ${survivalHash}.`);
  const receipt = claimReceiptSchema.safeParse(parse(text)).data;
  const isOfClaim =
    receipt !== undefined &&
    receipt.claimId === claimId &&
    canonicalJson(receipt.claim) === canonicalJson(claim) &&
    claimReceiptText(receipt) === text;
  return isOfClaim
    ? step("receipt", true, `The receipt's ${bytes.length} bytes are of this claim and hash to ${hash}.`)
    : step("receipt", false, "The receipt's bytes are not those of this claim.");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
