import { codeSentences } from "../shared/code/sentences.js";
import { controlSentences } from "../shared/control/sentences.js";
import { observationSentences } from "../shared/observations/sentences.js";
import { proxySentences } from "../shared/proxies/sentences.js";
import { simulationSentences } from "../shared/simulation/sentences.js";
import { swapReasons } from "../shared/swaps/reasons.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";
import type { ApprovalCode } from "./judgeApprovals.js";
import type { ExecutionCode } from "./judgeExecution.js";
import type { FlowCode } from "./judgeFlows.js";
import type { RealityCode } from "./judgeReality.js";
import type { SwapActCode } from "./judgeSwapActs.js";
import type { TargetCode } from "./judgeTarget.js";

export type TransactionIntentCode =
  | ExecutionCode
  | ApprovalCode
  | FlowCode
  | RealityCode
  | SwapActCode
  | TargetCode;

/**
 * What each reason means for the verdict; the most severe one decides. `allow` therefore needs a transaction that is
 * decoded to the last byte, runs, was measured, and does only what its calldata says.
 */
export const transactionIntentReasons: Reasons<TransactionIntentCode> = {
  ...swapReasons,
  ...defineReasons({
    allow: {
      TX_EXECUTES: "The transaction runs to its end when it is called at this block.",
      PLAIN_TRANSFER: "The transaction only transfers.",
      EXACT_APPROVAL: "The transaction lets a contract spend a limited amount.",
      APPROVAL_REVOKED: "The transaction takes a permission back.",
      SWAP_RETURNS: "The swap brings in what it is for.",
      NO_LOSS_MEASURED: "Nothing leaves without something coming back, as far as was measured.",
      NOT_PAUSED: controlSentences.NOT_PAUSED,
      PAUSE_ABSENT: controlSentences.PAUSE_ABSENT,
      UNCHANGED: observationSentences.UNCHANGED,
      // Also stated as a limitation: most targets were never observed before.
      NO_EARLIER_OBSERVATION: "The service has not observed the target before.",
      TRACE_UNAVAILABLE: "No node offers a trace of the transaction.",
    },
    review: {
      // Common and legitimate, but the first step of most losses.
      UNLIMITED_APPROVAL: "The transaction lets a contract spend without limit.",
      APPROVAL_TO_ACCOUNT: "The transaction lets a plain account, not a contract, spend.",
      APPROVAL_ABOVE_BALANCE: "The amount approved is more than its owner holds.",
      OPERATOR_APPROVAL:
        "The transaction gives a contract command over everything of one kind that the owner holds.",
      SPENDER_UNRELATED: "An approval is for a spender that has no other part in the transaction.",
      PERMIT_DEADLINE_FAR: "A permit or permission lasts longer than 30 days.",
      CONTROL_CALL: "The transaction changes who controls a contract or which code it runs.",
      KNOWN_DELEGATECALL:
        "The transaction runs a known batching contract with an account's own storage and assets (delegatecall).",
      RECIPIENT_CANNOT_USE: "A transfer goes to the zero address or to the token itself.",
      THIRD_PARTY_FUNDS: "A transfer moves assets of an account that takes no part in the transaction.",
      SWAP_ROUTER_UNKNOWN: "The swap goes through a router that is not a known one.",
      SWAP_LIMITS_UNJUDGED: "The limits of a swap were not compared with its result.",
      LEAVES_WITHOUT_RETURN: "Something leaves and nothing comes back.",
      UNDECLARED_OUTFLOW: "More leaves than the calldata says.",
      UNDECLARED_APPROVAL: "An account gets a permission that the calldata does not mention.",
      MEASURED_DIFFERS: "What was measured is not what the calldata says.",
      // The target is not what it was, or not what a scan can judge.
      CODE_CHANGED: observationSentences.CODE_CHANGED,
      IMPLEMENTATION_CHANGED: observationSentences.IMPLEMENTATION_CHANGED,
      ADMIN_CHANGED: observationSentences.ADMIN_CHANGED,
      BEACON_CHANGED: observationSentences.BEACON_CHANGED,
      NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
      DELEGATED_ACCOUNT: codeSentences.DELEGATED_ACCOUNT,
      CALLDATA_TO_NO_CODE: "The transaction calls a function at an address without code.",
      SENDER_HAS_CODE:
        "The sender is a contract or a delegated account; its own code was not part of the simulation.",
      // Not understood, not checked, or without a usable answer.
      UNKNOWN_FUNCTION: "The transaction calls a function whose meaning is not known.",
      WRAPPER_UNKNOWN: "The calls inside the calldata are left to a contract that is not a known one.",
      RECEIVER_RUNS_CODE: "The receiver is a contract, whose code runs on receipt.",
      SPENDER_UNKNOWN: "The contract that is given an allowance is not one that is known.",
      PAUSED_BUT_EXECUTES: "The target says it is paused, yet the transaction runs.",
      UNDECODED_BYTES: "Part of the calldata could not be decoded.",
      DECODE_BOUND_REACHED: "The calldata holds more calls than this check unwraps.",
      MEASURE_BOUND_REACHED: simulationSentences.MEASURE_BOUND_REACHED,
      MEASURE_UNREAD: simulationSentences.MEASURE_UNREAD,
      TRACE_UNREAD: "The trace of the transaction was not read.",
      SIMULATION_RECOGNISABLE: simulationSentences.SIMULATION_RECOGNISABLE,
      CALL_UNREAD: simulationSentences.CALL_UNREAD,
      GAS_UNREAD: "The gas the transaction needs could not be estimated.",
      SENDER_UNREAD: simulationSentences.SENDER_UNREAD,
      COUNTERPARTY_UNREAD: "The code of a spender, an operator or a recipient could not be read.",
      SUPPLY_UNREAD: "The total supply of an approved token could not be read.",
      CODE_UNREAD: codeSentences.CODE_UNREAD,
      SLOT_UNREAD: proxySentences.SLOT_UNREAD,
      PROXY_PROBE_UNREAD: proxySentences.PROXY_PROBE_UNREAD,
      PAUSE_UNREAD: controlSentences.PAUSE_UNREAD,
      PAUSE_UNREADABLE: controlSentences.PAUSE_UNREADABLE,
      FIELD_UNREAD: observationSentences.FIELD_UNREAD,
      EARLIER_FIELD_UNREAD: observationSentences.EARLIER_FIELD_UNREAD,
    },
    block: {
      TX_REVERTS: "The transaction reverts at this block.",
      NATIVE_BALANCE_TOO_LOW: "The sender holds less than the value the transaction sends.",
      GAS_ABOVE_CAP: simulationSentences.GAS_ABOVE_CAP,
      CONTRACT_PAUSED: controlSentences.CONTRACT_PAUSED,
      FOREIGN_DELEGATECALL:
        "The transaction runs unknown code with an account's own storage and assets (delegatecall).",
      UNLIMITED_APPROVAL_TO_ACCOUNT:
        "The transaction lets a plain account, not a contract, spend without limit.",
      OPERATOR_IS_ACCOUNT:
        "The transaction gives a plain account command over everything of one kind that the owner holds.",
      SWAP_RETURNS_NOTHING: "The swap takes something and brings nothing back.",
      SIMULATION_EVADED:
        "By the node's trace the transaction takes more than it did while it was measured: it behaves well when it is watched.",
      ROUTER_HAS_NO_CODE: simulationSentences.ROUTER_HAS_NO_CODE,
      RECIPIENT_RESERVED:
        "A transfer goes to a precompiled contract, which nobody has a key to and which keeps it for ever.",
    },
  }),
};
