import type { Evaluation } from "../verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../verdict/note.js";
import { describeCost } from "./describeCost.js";
import { describeEffects, leadSentence } from "./describeEffects.js";
import {
  describeActs,
  describeBinding,
  describeCalldata,
  describeInferred,
  describeMeasured,
  describeTraced,
} from "./describeIntent.js";
import { type IntentCase, openIntentCase } from "./intentCase.js";
import { judgeApprovals } from "./judgeApprovals.js";
import { judgeControl } from "./judgeControl.js";
import { judgeExecution } from "./judgeExecution.js";
import { judgeFlows } from "./judgeFlows.js";
import { judgeReality } from "./judgeReality.js";
import { judgeSwapActs } from "./judgeSwapActs.js";
import { judgeTarget } from "./judgeTarget.js";
import type { TransactionIntentInput } from "./transactionInput.js";
import type { TransactionIntentReadings } from "./transactionReadings.js";
import { type TransactionIntentCode, transactionIntentReasons } from "./transactionReasons.js";

/** Stated with every verdict on a transaction. */
export const transactionLimitations = [
  "The verdict is about exactly the chain, sender, target, value and calldata hash in findings.binding; any other transaction needs another one.",
  "True at the stated block; state, prices and code can change in any later one, and a contract may behave otherwise when it is really called.",
  "Inferred differences come from calldata alone. Traced ones come from the node's own trace of the plain transaction. Measured ones come from a simulated call in which the sender's address held code; only the balances and allowances listed by the rule were measured, not every token there is.",
  "Values in dollars are those of ether (by its feed), wrapped ether and dollar coins; what other assets are worth is not judged.",
  "Names of parties come from a registry of published contracts, compared by code where a hash is published.",
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
    ...(execution.status === "succeeds" || execution.status === "unread" ? judgeOutcome(one) : []),
    ...judgeReality(one),
    ...swapNotes,
    ...targetNotes,
  ];
  const { cost, limitations: costLimitations } = describeCost(one);
  const earlier = readings.previous;
  const record = earlier
    ? [
        `The observation at block ${earlier.blockNumber} is the service's own record, outside this block's proofs.`,
      ]
    : [];
  return {
    verdict: worstVerdict(notes, transactionIntentReasons),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${leadSentence(one, execution)} ${decidingSentences(notes, transactionIntentReasons)}`,
    findings: {
      intent: one.intent,
      effects: describeEffects(one, execution),
      binding: describeBinding(one),
      execution,
      cost,
      calldata: describeCalldata(one),
      acts: describeActs(one),
      inferred: describeInferred(one),
      measured: describeMeasured(one),
      traced: describeTraced(one),
      swap,
      target,
    },
    limitations: unique([
      ...transactionLimitations,
      ...record,
      ...(readings.conditions.isFeeLent ? [FEE_LENT] : []),
      ...swapLimitations,
      ...costLimitations,
      ...notes.flatMap((note) => note.limitation ?? []),
    ]),
  } satisfies Evaluation;
}

/** What the transaction does to assets, permissions and control. A transaction that fails does none of it. */
function judgeOutcome(one: IntentCase): Note<TransactionIntentCode>[] {
  const { history } = one.readings;
  const isUnread = [history?.paid, history?.payers, history?.amounts].some(
    (one) => one?.status === "unanswered",
  );
  const limitation = "No node answered the search for earlier payments of the sender.";
  return [
    ...judgeFlows(one),
    ...judgeApprovals(one),
    ...judgeControl(one),
    ...(isUnread ? [{ code: "HISTORY_UNREAD", limitation } as const] : []),
    ...noteUnread(one),
  ];
}

/** Only what was read supports an allow: the party's code, how used it is, how a token calls itself, and the price. */
function noteUnread({
  readings: { parties, tokens, etherPrice, itemOwners },
}: IntentCase): Note<TransactionIntentCode>[] {
  const isSilent = (reading: { readonly status: string } | null) => reading?.status === "unanswered";
  const unread = [
    ...parties
      .filter(({ code, nonce, keeps, wallet }) => [code, nonce, keeps, wallet].some(isSilent))
      .map(({ address }) => address),
    ...tokens
      .filter(({ symbol, decimals, isReceipt }) => [symbol, decimals, isReceipt].some(isSilent))
      .map(({ token }) => token),
    ...itemOwners
      .filter(({ owner, position }) => isSilent(owner) || isSilent(position))
      .map(({ token, id }) => `item ${id} of ${token}`),
    ...(isSilent(etherPrice) ? ["the price of ether"] : []),
  ];
  if (unread.length === 0) return [];
  return [
    { code: "PARTY_UNREAD", limitation: `No node answered everything about ${unique(unread).join(", ")}.` },
  ];
}
