import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import {
  describeActs,
  describeBinding,
  describeCalldata,
  describeInferred,
  describeMeasured,
  describeTraced,
} from "./describeIntent.js";
import type { TransactionIntentInput } from "./input.js";
import { openIntentCase } from "./intentCase.js";
import { judgeApprovals } from "./judgeApprovals.js";
import { judgeExecution } from "./judgeExecution.js";
import { judgeFlows } from "./judgeFlows.js";
import { judgeReality } from "./judgeReality.js";
import { judgeSwapActs } from "./judgeSwapActs.js";
import { judgeTarget } from "./judgeTarget.js";
import type { TransactionIntentReadings } from "./readings.js";
import { type TransactionIntentCode, transactionIntentReasons } from "./reasons.js";

const ALWAYS = [
  "The verdict is about exactly the chain, sender, target, value and calldata hash in findings.binding; any other transaction needs another one.",
  "True at the stated block; state, prices and code can change in any later one, and a contract may behave otherwise when it is really called.",
  "Inferred differences come from calldata alone. Measured ones come from a simulated call in which the sender's address held code; only the balances and allowances listed by the rule were measured, not every token there is.",
  "What a received token is worth is not judged.",
  "Delegations that a transaction carries outside its calldata (EIP-7702 authorizations), its nonce and its fees are not part of the input and were not checked.",
  "State proofs cover code and slots that were read directly; what calls and the simulation answered is as the node gave it.",
];

const FEE_LENT =
  "The sender holds too little for all the gas that a simulated call is given, so the fee was lent to it; whether it can pay for the transaction's own gas was not judged.";

/** Judges an unsigned transaction by its calldata and by what it does when it is simulated. */
export function evaluateTransactionIntent(
  input: TransactionIntentInput,
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
    verdict: worstVerdict(notes, transactionIntentReasons),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${one.intent} to ${input.to}: ${decidingSentences(notes, transactionIntentReasons)}`,
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
