import { codeSentences } from "../code/sentences.js";
import { controlSentences } from "../control/sentences.js";
import { type PolicyCode, policyReasons } from "../effects/policy.js";
import { observationSentences } from "../observations/sentences.js";
import { proxySentences } from "../proxies/sentences.js";
import { simulationSentences } from "../simulation/sentences.js";
import { swapReasons } from "../swaps/reasons.js";
import { defineReasons, type Reasons } from "../verdict/reasons.js";
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
  | TargetCode
  | PolicyCode
  | "HISTORY_UNREAD"
  | "PARTY_UNREAD";

/**
 * What each reason means for the verdict; the most severe one decides. What concerns assets, permissions and control is in
 * the policy that guards share; the rest is about whether the transaction runs and was seen whole.
 */
export const transactionIntentReasons: Reasons<TransactionIntentCode> = {
  ...swapReasons,
  ...policyReasons,
  ...defineReasons({
    allow: {
      TX_EXECUTES: "The transaction runs to its end when it is called at this block.",
      KNOWN_PARTY: "The target is a published contract.",
      SENDER_IS_ACCOUNT: "The sender runs the published code of a wallet.",
      // Its effects were traced, and are judged by themselves.
      UNKNOWN_FUNCTION: "The transaction calls a function whose meaning is not known.",
      NOT_PAUSED: controlSentences.NOT_PAUSED,
      PAUSE_ABSENT: controlSentences.PAUSE_ABSENT,
      UNCHANGED: observationSentences.UNCHANGED,
      // Also stated as a limitation: most targets were never observed before.
      NO_EARLIER_OBSERVATION: "The service has not observed the target before.",
      TRACE_UNAVAILABLE: "No node offers a trace of the transaction.",
    },
    review: {
      SWAP_ROUTER_UNKNOWN: "The swap goes through a router that is not a known one.",
      SWAP_LIMITS_UNJUDGED: "The limits of a swap were not compared with its result.",
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
        "The sender has code that is not a published wallet's, or that the simulation replaced.",
      // Not understood, not checked, or without a usable answer.
      UNKNOWN_FUNCTION_AT_PARTY:
        "The transaction calls a function whose meaning is not known at a contract that keeps positions or permissions, or at an account.",
      STRANGER_NAMED:
        "A function whose meaning is not known writes to storage and names an address that is neither the sender's nor published: what that address may do or take afterwards was not understood.",
      EFFECTS_UNSEEN: "The function is not known, and not everything that the transaction changes was read.",
      PAUSED_BUT_EXECUTES: "The target says it is paused, yet the transaction runs.",
      UNDECODED_BYTES: "Part of the calldata could not be decoded.",
      DECODE_BOUND_REACHED: "The calldata holds more calls than this check unwraps.",
      MEASURE_BOUND_REACHED: simulationSentences.MEASURE_BOUND_REACHED,
      MEASURE_UNREAD: simulationSentences.MEASURE_UNREAD,
      PRICE_UNREAD: "The price of something that moves was not read.",
      TRACE_UNREAD: "The trace of the transaction was not read.",
      SIMULATION_RECOGNISABLE: simulationSentences.SIMULATION_RECOGNISABLE,
      PARTY_UNREAD: "Something about a party or a token of the transaction could not be read.",
      HISTORY_UNREAD: "Whom the sender paid before could not be read.",
      CALL_UNREAD: simulationSentences.CALL_UNREAD,
      GAS_UNREAD: "The gas the transaction needs could not be estimated.",
      SENDER_UNREAD: simulationSentences.SENDER_UNREAD,
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
      SWAP_RETURNS_NOTHING: "The swap takes something and brings nothing back.",
      ROUTER_HAS_NO_CODE: simulationSentences.ROUTER_HAS_NO_CODE,
    },
  }),
};
