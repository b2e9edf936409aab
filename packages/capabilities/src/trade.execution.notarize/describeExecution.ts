import type { EventLog, Hex } from "@assay/protocol";
import { listTransfers } from "../shared/events/transferEvents.js";
import type { DecodedSwap } from "../shared/swaps/decodeSwap.js";
import { describeSwap } from "../shared/swaps/describeSwap.js";
import { findSwapEvent } from "./findSwapEvent.js";
import type { LimitJudgement } from "./judgeLimit.js";
import { feeOf, type RealisedJudgement } from "./judgeRealised.js";
import type { OpenedExecution } from "./openExecution.js";
import type { TradeExecutionReadings } from "./readings.js";

/** Each list in the findings shows at most this many entries; the receipt's bytes hold them all. */
const MAX_SHOWN = 64;

interface DescribedExecution {
  readonly opened: OpenedExecution;
  readonly sender: Hex;
  readonly swap: DecodedSwap | null;
  readonly realised: RealisedJudgement | null;
  readonly limit: LimitJudgement | null;
  readonly readings: TradeExecutionReadings;
}

/** The execution in words and decimal numbers. */
export function describeExecution({ opened, sender, swap, realised, limit, readings }: DescribedExecution) {
  const { header, transaction, receipt, isTransactionProven, isReceiptProven } = opened;
  const { block, execution } = readings;
  const { told } = execution;
  const logs = receipt?.logs ?? [];
  return {
    block: { number: execution.number, hash: execution.hash, timestamp: header?.timestamp ?? null },
    index: execution.index,
    blocksAbove: block.number - execution.number,
    proven: { header: header !== null, transaction: isTransactionProven, receipt: isReceiptProven },
    transaction: {
      type: transaction?.type ?? told.type,
      from: sender,
      to: transaction ? transaction.to : told.to,
      value: transaction?.value.toString() ?? told.value,
      nonce: transaction?.nonce?.toString() ?? null,
      selector: transaction && transaction.data.length >= 10 ? transaction.data.slice(0, 10) : null,
    },
    succeeded: receipt?.success ?? null,
    fee: { gasUsed: told.gasUsed, totalWei: feeOf(execution).toString(), source: "node" },
    logs: logs.length,
    transfers: showSome(describeTransfers(logs)),
    swaps: showSome(describeSwaps(logs)),
    realised: (realised?.flows ?? []).map(({ holder, token, byEvents, measured, agreement }) => ({
      holder,
      token,
      byEvents: byEvents?.toString() ?? null,
      measured: measured?.toString() ?? null,
      agreement,
    })),
    items: showSome(
      (realised?.items ?? []).map(({ byEvents, ...item }) => ({ ...item, byEvents: byEvents.toString() })),
    ),
    swap: swap && { ...describeSwap(swap), realised: limit && describeLimit(limit) },
  };
}

const showSome = <T>(list: readonly T[]) => ({ total: list.length, shown: list.slice(0, MAX_SHOWN) });

function describeTransfers(logs: readonly EventLog[]) {
  return logs.flatMap((log, logIndex) =>
    listTransfers(log).map(({ kind, from, to, id, amount }) => ({
      logIndex,
      kind,
      token: log.address,
      from: from ?? null,
      to: to ?? null,
      id,
      amount: amount.toString(),
    })),
  );
}

function describeSwaps(logs: readonly EventLog[]) {
  return logs.flatMap((log, logIndex) => {
    const event = findSwapEvent(log);
    if (event === undefined) return [];
    const { amount0, amount1, ...rest } = event;
    // Whether a known factory created the emitter was not read.
    return [
      { logIndex, ...rest, isPoolKnown: false, amount0: amount0.toString(), amount1: amount1.toString() },
    ];
  });
}

function describeLimit({ paid, received, isKept }: LimitJudgement) {
  const describe = (realised: LimitJudgement["paid"]) =>
    realised && { amount: realised.amount.toString(), source: realised.source };
  return { paid: describe(paid), received: describe(received), isLimitKept: isKept };
}
