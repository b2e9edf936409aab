import type { NodeReport } from "./types.js";

/** What a node cannot do, and what that costs in answers; empty for a node that can everything that is asked of it. */
export function describeLimits(report: NodeReport): string[] {
  const { proofBlocks, stateBlocks, logSpan, overrides, traces, blockReceipts, batchSize } = report;
  return [
    proofBlocks === null && "no proofs (eth_getProof): every answer is sold without them",
    proofBlocks === 0 &&
      "proofs of the newest block only (--rpc.eth-proof-window): answers may be sold without them",
    overrides === false &&
      "no state overrides in eth_call: simulations are missing, so most guards of transactions say review",
    traces === false &&
      "no debug_traceCall: transaction.intent.guard says review where only a trace would tell",
    logSpan === null &&
      "no eth_getLogs: upgrades of obligations are not searched for, unknown payments stay unknown",
    typeof logSpan === "number" &&
      logSpan < 2_000 &&
      `events of ${logSpan} blocks at most: obligations over a longer time say review`,
    typeof stateBlocks === "number" &&
      stateBlocks < 10_000 &&
      `state of fewer than 10,000 blocks: older claims, obligations and executions cannot be read`,
    blockReceipts === false && "no eth_getBlockReceipts: trade.execution.notarize asks for each receipt",
    batchSize < 10 && `batches of ${batchSize} at most: each answer takes more requests`,
  ].filter((line) => line !== false);
}
