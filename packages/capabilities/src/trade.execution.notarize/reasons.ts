import { simulationSentences } from "../shared/simulation/sentences.js";
import { swapSentences } from "../shared/swaps/sentences.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";
import type { GuardCode } from "./judgeGuard.js";
import type { LimitCode } from "./judgeLimit.js";
import type { RealisedCode } from "./judgeRealised.js";

export type ProofCode =
  | "EXECUTION_PROVEN"
  | "HEADER_UNPROVEN"
  | "TRANSACTION_UNPROVEN"
  | "RECEIPT_UNPROVEN"
  | "TRANSACTION_TYPE_UNKNOWN";
export type OutcomeCode = "TRANSACTION_SUCCEEDED" | "TRANSACTION_REVERTED";
export type FinalityCode = "FINALIZED" | "SAFE_NOT_FINAL" | "NOT_FINAL" | "FINALITY_UNREAD";
export type TradeExecutionCode =
  | ProofCode
  | OutcomeCode
  | FinalityCode
  | RealisedCode
  | LimitCode
  | GuardCode;

/**
 * What each reason means for the verdict; the most severe one decides. `allow` therefore needs a transaction that
 * succeeded, proven to a finalized block, whose events agree with the balances, and which kept its own limit.
 */
export const tradeExecutionReasons: Reasons<TradeExecutionCode> = defineReasons({
  allow: {
    EXECUTION_PROVEN: "The transaction and its receipt are proven to the hash of their block.",
    TRANSACTION_SUCCEEDED: "The transaction ran to its end.",
    FINALIZED: "The transaction's block is final.",
    NO_TOKEN_MOVED: "No standard transfer event reports tokens that the sender gained or lost.",
    REALISED_CONFIRMED: "Balances changed over the block as events report.",
    LIMIT_KEPT: "The swap kept the limit that its calldata sets.",
    GUARD_MATCHED: "The guard's call that was cited was about this very transaction.",
  },
  review: {
    // It happened, but not as it should have.
    TRANSACTION_REVERTED: "The transaction was mined and failed: what it was to do was undone.",
    REALISED_CONTRADICTED: "Balances changed over the block otherwise than events report.",
    MIN_OUT_ZERO: swapSentences.MIN_OUT_ZERO,
    RECIPIENT_NOT_SENDER: swapSentences.RECIPIENT_NOT_SENDER,
    GUARD_OTHER_TRANSACTION: "The guard's call that was cited was not about this transaction.",
    GUARD_OUTDATED:
      "The transaction was not mined after the guard was asked and within the life of its answer.",
    // It may still be undone.
    SAFE_NOT_FINAL: "The transaction's block is safe, and not final yet.",
    NOT_FINAL: "The transaction's block can still be replaced.",
    // Only a node reports it, or no one does.
    HEADER_UNPROVEN: "The header of the transaction's block could not be rebuilt to its hash.",
    TRANSACTION_UNPROVEN:
      "The transaction, or its sender, is as a node reports it and not proven to its block.",
    RECEIPT_UNPROVEN: "The receipt is as a node reports it and not proven to its block.",
    TRANSACTION_TYPE_UNKNOWN: "The transaction is of a type whose form is not known.",
    FINALITY_UNREAD: "How final the transaction's block is could not be read.",
    REALISED_UNCONFIRMED: "What events report about gains and losses is not confirmed by balances.",
    LIMIT_UNCONFIRMED: "Whether the swap kept its limit is not known.",
    MEASURE_BOUND_REACHED: simulationSentences.MEASURE_BOUND_REACHED,
  },
  block: {
    LIMIT_NOT_KEPT: "The swap brought less, or took more, than its calldata allows.",
  },
});
