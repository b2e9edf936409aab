import type { CapabilityResult } from "@assay/protocol";
import { AssayClientError } from "./assayClientError.js";

/** Why a guarded transaction or message was not signed. */
export type GuardRefusal =
  | "block"
  | "review"
  | "expired"
  | "unconfirmed"
  | "not_verified"
  | "other_transaction"
  | "fee"
  | "altered";

const refusals: Record<GuardRefusal, string> = {
  block: "The guard blocks this transaction",
  review: "The guard asks for a review of this transaction, and no acceptReview accepted it",
  expired: "The guard's answer no longer holds; ask again",
  unconfirmed: "Your own node does not confirm the guard's answer",
  not_verified: "The guard's answer does not verify",
  other_transaction: "The guard's answer is about another transaction",
  fee: "The gas of this transaction is not as the policy allows",
  altered: "The wallet signed something other than the transaction that was judged",
};

/** Refusals that a new answer of the guard, or a node that has caught up, may not repeat. */
const PASSING_REFUSALS: ReadonlySet<GuardRefusal> = new Set(["expired", "unconfirmed"]);

/** The transaction was not sent, or the message not given away: the guard's verdict, its verification or the wallet's node speaks against it. */
export class GuardRefusedError extends AssayClientError {
  override readonly name = "GuardRefusedError";
  override readonly code = "guard_refused";
  override readonly retryable: boolean;
  readonly refusal: GuardRefusal;
  /** The guard's answer, which is paid for. */
  readonly answer: CapabilityResult;
  /** The reason codes of the answer; of a refusal by its verdict the heaviest first. */
  readonly reasons: readonly string[];

  constructor(
    refusal: GuardRefusal,
    answer: CapabilityResult,
    detail: string,
    what: "transaction" | "message" | "answer" = "transaction",
    reasons: readonly string[] = answer.result.reasonCodes,
  ) {
    const lead = refusals[refusal].replaceAll("transaction", what);
    const end = refusal === "altered" ? "It was not sent." : "Nothing was signed.";
    // Where an answer itself is confirmed, nobody was about to sign.
    super(
      what === "answer"
        ? `${lead.replaceAll("guard's answer", "answer")}: ${detail}`
        : `${lead}: ${detail} Reasons: ${reasons.join(", ")}. ${end}`,
    );
    this.retryable = PASSING_REFUSALS.has(refusal);
    this.refusal = refusal;
    this.answer = answer;
    this.reasons = reasons;
  }
}
