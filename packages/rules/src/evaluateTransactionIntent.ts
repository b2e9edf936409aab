import type { CapabilityInput, Verdict } from "@assay/protocol";
import type { Evaluation } from "./evaluation.js";
import {
  describeActs,
  describeBinding,
  describeCalldata,
  describeInferred,
  describeMeasured,
  describeTraced,
} from "./intent/describeIntent.js";
import { openIntentCase } from "./intent/intentCase.js";
import { type ApprovalCode, judgeApprovals } from "./intent/judgeApprovals.js";
import { type ExecutionCode, judgeExecution } from "./intent/judgeExecution.js";
import { type FlowCode, judgeFlows } from "./intent/judgeFlows.js";
import { judgeReality, type RealityCode } from "./intent/judgeReality.js";
import { judgeSwapActs, type SwapActCode } from "./intent/judgeSwapActs.js";
import { judgeTarget, type TargetCode } from "./intent/judgeTarget.js";
import { decidingSentences, type Note, unique, worstVerdict } from "./note.js";
import { swapVerdicts } from "./swap/judgeSwap.js";
import type { TransactionIntentReadings } from "./transactionIntentReadings.js";

export const transactionIntentRule = { id: "transaction.intent.guard", version: "1.0.0" } as const;

export type TransactionIntentCode =
  | ExecutionCode
  | ApprovalCode
  | FlowCode
  | RealityCode
  | SwapActCode
  | TargetCode;

/**
 * What each reason means for the verdict; the gravest decides. `allow` therefore needs a transaction that is
 * decoded to the last byte, runs, was measured, and does only what its calldata says.
 */
export const transactionIntentVerdicts: Readonly<Record<TransactionIntentCode, Verdict>> = {
  ...swapVerdicts,

  TX_EXECUTES: "allow",
  PLAIN_TRANSFER: "allow",
  EXACT_APPROVAL: "allow",
  APPROVAL_REVOKED: "allow",
  SWAP_RETURNS: "allow",
  NO_LOSS_MEASURED: "allow",
  NOT_PAUSED: "allow",
  PAUSE_ABSENT: "allow",
  UNCHANGED: "allow",
  // Said as a limitation: most targets were never looked at before.
  NO_EARLIER_OBSERVATION: "allow",
  TRACE_UNAVAILABLE: "allow",

  // Common and legal, and what most losses begin with.
  UNLIMITED_APPROVAL: "review",
  APPROVAL_TO_ACCOUNT: "review",
  APPROVAL_ABOVE_BALANCE: "review",
  OPERATOR_APPROVAL: "review",
  SPENDER_UNRELATED: "review",
  PERMIT_DEADLINE_FAR: "review",
  CONTROL_CALL: "review",
  KNOWN_DELEGATECALL: "review",
  RECIPIENT_CANNOT_USE: "review",
  THIRD_PARTY_FUNDS: "review",
  SWAP_ROUTER_UNKNOWN: "review",
  SWAP_LIMITS_UNJUDGED: "review",
  LEAVES_WITHOUT_RETURN: "review",
  UNDECLARED_OUTFLOW: "review",
  UNDECLARED_APPROVAL: "review",
  MEASURED_DIFFERS: "review",
  // The target is not what it was, or not what a scan can judge.
  CODE_CHANGED: "review",
  IMPLEMENTATION_CHANGED: "review",
  ADMIN_CHANGED: "review",
  BEACON_CHANGED: "review",
  NATIVE_TOKEN_CODE: "review",
  DELEGATED_ACCOUNT: "review",
  CALLDATA_TO_NO_CODE: "review",
  SENDER_HAS_CODE: "review",
  // Not understood, not looked at, not or not usably answered.
  UNKNOWN_FUNCTION: "review",
  WRAPPER_UNKNOWN: "review",
  RECEIVER_RUNS_CODE: "review",
  SPENDER_UNKNOWN: "review",
  PAUSED_BUT_EXECUTES: "review",
  UNDECODED_BYTES: "review",
  DECODE_BOUND_REACHED: "review",
  MEASURE_BOUND_REACHED: "review",
  MEASURE_UNREAD: "review",
  TRACE_UNREAD: "review",
  SIMULATION_RECOGNISABLE: "review",
  CALL_UNREAD: "review",
  GAS_UNREAD: "review",
  SENDER_UNREAD: "review",
  COUNTERPARTY_UNREAD: "review",
  SUPPLY_UNREAD: "review",
  CODE_UNREAD: "review",
  SLOT_UNREAD: "review",
  PROXY_PROBE_UNREAD: "review",
  PAUSE_UNREAD: "review",
  PAUSE_UNREADABLE: "review",
  FIELD_UNREAD: "review",
  EARLIER_FIELD_UNREAD: "review",

  TX_REVERTS: "block",
  NATIVE_BALANCE_TOO_LOW: "block",
  GAS_ABOVE_CAP: "block",
  CONTRACT_PAUSED: "block",
  FOREIGN_DELEGATECALL: "block",
  UNLIMITED_APPROVAL_TO_ACCOUNT: "block",
  OPERATOR_IS_ACCOUNT: "block",
  SWAP_RETURNS_NOTHING: "block",
  SIMULATION_EVADED: "block",
  ROUTER_HAS_NO_CODE: "block",
  RECIPIENT_RESERVED: "block",
};

const ALWAYS = [
  "The verdict is about exactly the chain, sender, target, value and calldata hash in findings.binding; any other transaction needs another one.",
  "True at the stated block; state, prices and code can change in any later one, and a contract may behave otherwise when it is really called.",
  "Inferred differences come from calldata alone. Measured ones come from a simulated call in which the sender's address held code; only the balances and allowances listed by the rule were measured, not every token there is.",
  "What a received token is worth is not judged.",
  "Delegations that a transaction carries outside its calldata (EIP-7702 authorizations), its nonce and its fees are not part of the input and were not looked at.",
  "State proofs cover code and slots that were read directly; what calls and the simulation answered is as the node gave it.",
];

const FEE_LENT =
  "The sender holds too little for all the gas that a simulated call is given, so the fee was lent to it; whether it can pay for the transaction's own gas was not judged.";

/** Judges an unsigned transaction by its calldata and by what it does when it is simulated. */
export function evaluateTransactionIntent(
  input: CapabilityInput<"transaction.intent.guard">,
  readings: TransactionIntentReadings,
) {
  const one = openIntentCase(input, readings);
  const { notes: executionNotes, execution } = judgeExecution(one);
  const { notes: targetNotes, target } = judgeTarget(one);
  const { notes: swapNotes, limitations: swapLimitations, swap } = judgeSwapActs(one);
  const notes: Note<TransactionIntentCode>[] = [
    ...executionNotes,
    ...judgeApprovals(one),
    ...judgeFlows(one),
    ...judgeReality(one),
    ...swapNotes,
    ...targetNotes,
  ];
  const earlier = readings.previous;
  const record = earlier
    ? [
        `The observation at block ${earlier.blockNumber} is the service's own record, outside this block's proofs.`,
      ]
    : [];
  return {
    verdict: worstVerdict(notes, transactionIntentVerdicts),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${one.intent} to ${input.to}: ${decidingSentences(notes, transactionIntentVerdicts)}`,
    findings: {
      intent: one.intent,
      binding: describeBinding(one),
      execution,
      calldata: describeCalldata(one),
      acts: describeActs(one),
      inferred: describeInferred(one),
      measured: describeMeasured(one),
      traced: describeTraced(one),
      swap,
      target,
    },
    limitations: unique([
      ...ALWAYS,
      ...record,
      ...(readings.conditions.isFeeLent ? [FEE_LENT] : []),
      ...swapLimitations,
      ...notes.flatMap((note) => note.limitation ?? []),
    ]),
  } satisfies Evaluation;
}
