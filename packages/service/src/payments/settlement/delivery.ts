import type { Hex } from "@assay/protocol";
import type { SettleOutcome } from "../facilitator.js";
import type { ExpectedTransfer } from "./transferCall.js";

/** One call to be sent: of an authorization to its token or to a collector of deposits, or of a channel's receiver. */
export interface Delivery {
  readonly call: Hex;
  /** The contract that is called. */
  readonly to: Hex;
  /** The most gas that it may use. */
  readonly gas: bigint;
  /** The use of an authorization that shows that it succeeded. Null for a call that succeeds if its transaction does. */
  readonly expected: ExpectedTransfer | null;
  /** Unix seconds. */
  readonly validBefore: bigint;
  /** A payer with code runs it during the transfer and could burn a batch's gas, so it travels alone. */
  readonly alone: boolean;
  /** Whether it is delivered even where that costs more than it pays. */
  readonly atAnyCost?: boolean;
}

/** A delivery somebody waits for. It is answered once; later answers change nothing. */
export interface WaitingDelivery extends Omit<Delivery, "alone"> {
  alone: boolean;
  readonly queuedAtMs: number;
  launches: number;
  /** Account nonces of transactions that may carry it and may still be mined, or may have been. */
  readonly underWay: Set<number>;
  /** Hashes of the transactions that may have carried it. */
  readonly carriers: Set<Hex>;
  readonly isAnswered: () => boolean;
  /**
   * While a transaction may still carry it, nobody can know that it failed: `failed` and `not_sent`
   * are then reported as `unknown`.
   */
  answer(outcome: SettleOutcome): void;
}

/** Waits at most `giveUpMs`; what was never sent is then `not_sent`, anything else `unknown`. */
export function createWaitingDelivery(
  delivery: Delivery,
  giveUpMs: number,
  onAnswer: (item: WaitingDelivery, outcome: SettleOutcome) => void,
): WaitingDelivery {
  let isAnswered = false;
  const timer = setTimeout(() => item.answer({ status: "not_sent", reason: "not mined in time" }), giveUpMs);
  const item: WaitingDelivery = {
    ...delivery,
    queuedAtMs: Date.now(),
    launches: 0,
    underWay: new Set(),
    carriers: new Set(),
    isAnswered: () => isAnswered,
    answer(outcome) {
      if (isAnswered) return;
      isAnswered = true;
      clearTimeout(timer);
      const isUncertain = outcome.status !== "settled" && item.underWay.size > 0;
      onAnswer(item, isUncertain ? { status: "unknown", reason: outcome.reason } : outcome);
    },
  };
  return item;
}
