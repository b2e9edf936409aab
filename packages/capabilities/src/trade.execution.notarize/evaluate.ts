import type { EventLog, Hex } from "@assay/protocol";
import { type DecodedSwap, decodeSwap } from "../shared/swaps/decodeSwap.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import { describeExecution } from "./describeExecution.js";
import { findSwapEvent } from "./findSwapEvent.js";
import type { TradeExecutionInput } from "./input.js";
import { judgeGuard } from "./judgeGuard.js";
import { judgeLimit, type LimitJudgement } from "./judgeLimit.js";
import { judgeRealised } from "./judgeRealised.js";
import { type OpenedExecution, openExecution } from "./openExecution.js";
import type { TradeExecutionReadings } from "./readings.js";
import {
  type FinalityCode,
  type OutcomeCode,
  type ProofCode,
  type TradeExecutionCode,
  tradeExecutionReasons,
} from "./reasons.js";

const ALWAYS = [
  "The transaction and its receipt are proven to the hash of their block; that this block is part of the chain, and how final it is, is the word of the nodes.",
  "An event is what the contract that emitted it says: the block proves that it was said, not that it is true. Balances are compared over the whole block, and are a node's word.",
  "Gains and losses are reported for the transaction's sender and for the recipient of a swap on a supported router; those of a smart wallet behind a relayer are among the transfers only.",
  "Gas and fees are as a node reports them; a receipt commits only to the gas of the block up to it.",
  "Whether the price was a good one is not judged.",
];

const SWAPS_UNVERIFIED =
  "Swaps are recognised by the form of their events, which any contract can emit: that an emitter is a pool of the named kind was not checked.";

/** Judges the outcome of a transaction from its block. Throws where the readings contradict each other. */
export function evaluateTradeExecution(input: TradeExecutionInput, readings: TradeExecutionReadings) {
  const opened = openExecution(input.txHash, readings);
  const sender = senderOf(opened, readings);
  const swap = findSwap(opened, readings);
  const logs: readonly EventLog[] = opened.receipt?.logs ?? [];
  const succeeded = opened.receipt?.success ?? null;
  const realised = succeeded ? judgeRealised(sender, swap, logs, readings) : null;
  const limit: LimitJudgement | null =
    swap && realised && readings.router
      ? judgeLimit(
          swap,
          readings.router.address,
          sender,
          realised.flows,
          logs,
          opened.isTransactionProven && opened.isReceiptProven,
        )
      : null;
  const guard = judgeGuard(readings, opened.transaction, opened.header?.timestamp ?? null);
  const notes: Note<TradeExecutionCode>[] = [
    ...noteProofs(opened, readings),
    ...noteOutcome(succeeded),
    ...noteFinality(readings),
    ...(realised?.notes ?? []),
    ...(limit?.notes ?? []),
    ...guard.notes,
  ];
  return {
    verdict: worstVerdict(notes, tradeExecutionReasons),
    reasonCodes: unique(notes.map(({ code }) => code)),
    summary: `${input.txHash} in block ${readings.execution.number}: ${decidingSentences(notes, tradeExecutionReasons)}`,
    findings: {
      ...describeExecution({ opened, sender, swap, realised, limit, readings }),
      finality: finalityOf(readings),
      guard: guard.finding,
    },
    limitations: unique([
      ...ALWAYS,
      ...(logs.some(findSwapEvent) ? [SWAPS_UNVERIFIED] : []),
      ...notes.flatMap(({ limitation }) => limitation ?? []),
    ]),
  } satisfies Evaluation;
}

/** From the signature where there is one, otherwise from the node. */
function senderOf({ transaction }: OpenedExecution, { execution }: TradeExecutionReadings): Hex {
  return transaction?.from ?? (execution.told.from as Hex);
}

/** The swap in the calldata, where it is a supported call of a supported router. */
export function findSwap(
  { transaction }: Pick<OpenedExecution, "transaction">,
  { router }: Pick<TradeExecutionReadings, "router">,
): DecodedSwap | null {
  if (!transaction?.to || transaction.from === null || router === null) return null;
  const { from, to, data, value } = transaction;
  const decoded = decodeSwap({ from, to, data, value: value.toString() }, [router]);
  return "swap" in decoded ? decoded.swap : null;
}

function noteProofs(
  { header, transaction, isTransactionProven, isReceiptProven }: OpenedExecution,
  { execution }: TradeExecutionReadings,
): Note<ProofCode>[] {
  const notes: Note<ProofCode>[] = [];
  if (header === null)
    notes.push({
      code: "HEADER_UNPROVEN",
      limitation: "The block's header could not be rebuilt to its hash, so nothing of the block is proven.",
    });
  if (transaction === null)
    notes.push({
      code: "TRANSACTION_TYPE_UNKNOWN",
      limitation: `Transactions of type ${execution.told.type} are of an unknown form; sender, target and value are as a node reports them.`,
    });
  if (!isTransactionProven || transaction?.from === null)
    notes.push({
      code: "TRANSACTION_UNPROVEN",
      limitation: unprovenBecause("transaction", execution.transaction.proof),
    });
  if (!isReceiptProven)
    notes.push({ code: "RECEIPT_UNPROVEN", limitation: unprovenBecause("receipt", execution.receipt.proof) });
  return notes.length === 0 ? [{ code: "EXECUTION_PROVEN" }] : notes;
}

function unprovenBecause(
  what: string,
  proof: TradeExecutionReadings["execution"]["receipt"]["proof"],
): string {
  if (proof.status === "value")
    return `The ${what}'s signature has no signer; its sender is as a node reports it.`;
  const why =
    proof.status === "unanswered" && proof.reason === "block_too_large"
      ? "its block holds more than is rebuilt"
      : proof.status === "unanswered"
        ? "no node gave all of its block"
        : "what nodes report of its block does not hash to the header";
  return `The ${what} is as a node reports it, not proven: ${why}.`;
}

function noteOutcome(succeeded: boolean | null): Note<OutcomeCode>[] {
  if (succeeded === null) return [];
  return [{ code: succeeded ? "TRANSACTION_SUCCEEDED" : "TRANSACTION_REVERTED" }];
}

/** How final the block is according to the nodes; null where they do not state it. */
export function finalityOf({
  execution,
  finality: { safe, finalized },
}: Pick<TradeExecutionReadings, "execution" | "finality">): "finalized" | "safe" | "unsafe" | null {
  if (finalized.status === "value" && finalized.value >= execution.number) return "finalized";
  if (safe.status === "value" && safe.value >= execution.number) return "safe";
  return finalized.status === "value" || safe.status === "value" ? "unsafe" : null;
}

function noteFinality(readings: TradeExecutionReadings): Note<FinalityCode>[] {
  switch (finalityOf(readings)) {
    case "finalized":
      return [{ code: "FINALIZED" }];
    case "safe":
      return [
        { code: "SAFE_NOT_FINAL", limitation: "The block is derived from L1 data that is not final yet." },
      ];
    case "unsafe":
      return [
        { code: "NOT_FINAL", limitation: "The block is the sequencer's word so far, and can be replaced." },
      ];
    case null:
      return [{ code: "FINALITY_UNREAD", limitation: "No node reported its safe or finalized block." }];
  }
}
