import { type Needs, rateAbility } from "./abilities.js";
import { STATE_DISTANCES } from "./probeNode.js";
import type { NodeReport } from "./types.js";

/** Something that a node cannot do, what that costs in answers, and what a node that can do it needs. */
interface Limit {
  readonly lack: string;
  readonly cost: string;
  readonly needs?: Needs;
  /** What it costs although another node is asked. */
  readonly costElsewhere?: string;
}

/** Fewer blocks of state, or of one search for events, are named to the operator. */
const ENOUGH_STATE_BLOCKS = 10_000;
const ENOUGH_LOG_BLOCKS = 2_000;
const FEW_IN_BATCH = 10;

const NOT_SOLD = "what it leaves open is answered 503, and nothing is charged";

/**
 * What a node cannot do and what that costs in answers, beside the other nodes of the service; empty for one that can do everything
 * that is asked of it.
 */
export function describeLimits(
  report: NodeReport,
  all: readonly NodeReport[] = [report],
  blockTimeMs?: number,
): string[] {
  const others = all.filter((one) => one !== report).map(withoutGuesses);
  const limits = [...listLimits(report, blockTimeMs)].map(({ lack, cost, needs, costElsewhere }) => {
    const isMadeUp = needs !== undefined && others.some((other) => rateAbility(other, needs) === "able");
    if (!isMadeUp) return `${lack}: ${cost}`;
    return `${lack}: another node is asked${costElsewhere === undefined ? "" : `; ${costElsewhere}`}`;
  });
  const unknown = listUnknown(report);
  return unknown.length === 0
    ? limits
    : [
        ...limits,
        `not known yet, because it did not answer: ${unknown.join(", ")}; it is asked again hourly`,
      ];
}

function* listLimits(report: NodeReport, blockTimeMs: number | undefined): Generator<Limit> {
  const { proofBlocks, stateBlocks, logSpan, overrides, traces, blockReceipts, batchSize, failures } = report;
  const lasting = (blocks: number) => describeBlocks(blocks, blockTimeMs);
  if (proofBlocks === null)
    yield {
      lack: "no proofs (eth_getProof)",
      cost: "every answer is sold without them",
      needs: { proofBlocks: 0 },
    };
  if (proofBlocks === 0)
    yield {
      lack: "proofs of the newest block only (--rpc.eth-proof-window)",
      cost: "each provable answer is read twice, and some may be sold without proofs",
      needs: { proofBlocks: 1 },
    };
  if (overrides === false)
    yield {
      lack: "no state overrides in eth_call",
      cost: "simulations are missing, so most guards of transactions say review",
      needs: { overrides: true },
    };
  if (traces === false)
    yield {
      lack: "no debug_traceCall",
      cost: "transaction.intent.guard says review where only a trace would tell",
      needs: { traces: true },
    };
  if (logSpan === null)
    yield {
      lack: "no eth_getLogs",
      cost: "upgrades of obligations are not searched for, unknown payments stay unknown",
      needs: { logSpan: 1 },
    };
  if (typeof logSpan === "number" && logSpan < ENOUGH_LOG_BLOCKS)
    yield {
      lack: `events of ${lasting(logSpan)} at most`,
      cost: "obligations over a much longer time say review",
      needs: { logSpan: ENOUGH_LOG_BLOCKS },
    };
  if (typeof stateBlocks === "number" && stateBlocks < ENOUGH_STATE_BLOCKS)
    yield {
      lack: `state of fewer than ${lasting(STATE_DISTANCES.find((blocks) => blocks > stateBlocks) ?? ENOUGH_STATE_BLOCKS)}`,
      cost: "older claims, obligations and executions cannot be read",
      needs: { stateBlocks: ENOUGH_STATE_BLOCKS },
      costElsewhere: "older claims and challenges need two nodes that have them",
    };
  if (blockReceipts === false)
    yield {
      lack: "no eth_getBlockReceipts",
      cost: "trade.execution.notarize asks for each receipt",
      needs: { blockReceipts: true },
    };
  if (batchSize < FEW_IN_BATCH)
    yield { lack: `batches of ${batchSize} at most`, cost: "each answer takes more requests" };
  if (failures.includes("rate_limited")) yield { lack: "throttled within the hour", cost: NOT_SOLD };
  const others = failures.filter((reason) => reason !== "rate_limited");
  if (others.length > 0)
    yield { lack: `failed while it was asked what it can do (${others.join(", ")})`, cost: NOT_SOLD };
}

const NAMES: { readonly [A in keyof Needs]-?: string } = {
  proofBlocks: "proofs",
  stateBlocks: "old state",
  logSpan: "events",
  overrides: "state overrides",
  traces: "traces",
  blockReceipts: "receipts of blocks",
};

const listUnknown = (report: NodeReport): string[] =>
  Object.entries(NAMES).flatMap(([ability, name]) =>
    report[ability as keyof Needs] === undefined ? [name] : [],
  );

/** With what is not known as if the node could not. */
const withoutGuesses = (report: NodeReport): NodeReport => ({
  ...report,
  proofBlocks: report.proofBlocks ?? null,
  stateBlocks: report.stateBlocks ?? null,
  logSpan: report.logSpan ?? null,
  overrides: report.overrides ?? false,
  traces: report.traces ?? false,
  blockReceipts: report.blockReceipts ?? false,
});

/** Blocks, and how long they last at the block time that was measured. */
function describeBlocks(blocks: number, blockTimeMs: number | undefined): string {
  const count = `${blocks.toLocaleString("en")} blocks`;
  if (blockTimeMs === undefined) return count;
  const seconds = Math.round((blocks * blockTimeMs) / 1_000);
  return `${count} (${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`})`;
}
