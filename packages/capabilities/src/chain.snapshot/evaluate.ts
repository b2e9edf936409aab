import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, worstVerdict } from "../shared/verdict/note.js";
import type { ChainSnapshotInput } from "./input.js";
import type { ChainSnapshotReadings } from "./readings.js";
import { chainSnapshotReasons } from "./reasons.js";

export interface SuggestedFee {
  readonly maxPriorityFeePerGas: string;
  readonly maxFeePerGas: string;
}

const MAX_AGE_MS = 30_000;
/** Below this, transaction pools with default settings refuse a transaction. */
const MIN_PRIORITY_FEE_WEI = 1n;

/** The newest block, its age, and fees that recent blocks accepted. */
export function evaluateChainSnapshot(_input: ChainSnapshotInput, readings: ChainSnapshotReadings) {
  const { block, feeHistory, observedAtMs } = readings;
  const ageMs = observedAtMs - block.timestamp * 1000;
  const notes: Note<keyof typeof chainSnapshotReasons>[] = [{ code: "CHAIN_SNAPSHOT" }];
  if (ageMs > MAX_AGE_MS) {
    notes.push({ code: "HEAD_OLD", limitation: `The block was ${ageMs} ms old when it was read.` });
  }
  if (feeHistory.status !== "value") {
    notes.push({ code: "FEE_HISTORY_UNREAD", limitation: "Fee history was not read: no fee is suggested." });
  }
  if (block.baseFeePerGas === null) notes.push({ code: "NO_BASE_FEE" });
  return {
    verdict: worstVerdict(notes, chainSnapshotReasons),
    reasonCodes: notes.map((note) => note.code),
    summary: `Block ${block.number}: ${decidingSentences(notes, chainSnapshotReasons)}`,
    findings: {
      blockNumber: block.number,
      blockHash: block.hash,
      timestamp: block.timestamp,
      ageMs,
      baseFeePerGas: block.baseFeePerGas,
      fees: suggestFees(readings),
    },
    limitations: [
      "Suggested fees repeat what recent blocks accepted; they promise no inclusion.",
      "The fee for data posted to the parent chain is charged on top and is not part of these figures.",
      ...notes.flatMap((note) => note.limitation ?? []),
    ],
  } satisfies Evaluation;
}

export interface SuggestedFees {
  readonly slow: SuggestedFee;
  readonly standard: SuggestedFee;
  readonly fast: SuggestedFee;
}

/**
 * For each percentile: the priority fee is the median of that percentile's reward over the blocks
 * that held transactions (an empty block reports zero, which means nothing), at least 1 wei and
 * never below the slower suggestion. The maximum fee is twice the base fee, so that it survives
 * the base fee doubling, plus the priority fee; what a block does not charge is not paid. The base
 * fee is the higher of the block's own and the next block's, which fee history states (EIP-1559).
 */
function suggestFees({ block, feeHistory }: ChainSnapshotReadings): SuggestedFees | null {
  if (feeHistory.status !== "value" || block.baseFeePerGas === null) return null;
  const { oldestBlock, baseFeePerGas, gasUsedRatio, reward } = feeHistory.value;
  const own = BigInt(block.baseFeePerGas);
  const next = BigInt(baseFeePerGas[block.number + 1 - oldestBlock] ?? own);
  const baseFee = larger(next, own);
  const busy = reward.filter((_, index) => (gasUsedRatio[index] ?? 0) > 0);
  let floor = MIN_PRIORITY_FEE_WEI;
  const suggest = (column: number): SuggestedFee => {
    const found = median(busy.flatMap((row) => (row[column] === undefined ? [] : [BigInt(row[column])])));
    floor = larger(found, floor);
    return { maxPriorityFeePerGas: floor.toString(), maxFeePerGas: (baseFee * 2n + floor).toString() };
  };
  return { slow: suggest(0), standard: suggest(1), fast: suggest(2) };
}

function larger(left: bigint, right: bigint): bigint {
  if (left > right) return left;
  return right;
}

/** The lower middle value; zero of nothing. */
function median(values: readonly bigint[]): bigint {
  const sorted = [...values].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n;
}
