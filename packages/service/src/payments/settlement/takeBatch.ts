import type { WaitingDelivery } from "./delivery.js";

export const MAX_BATCH = 60;
const MAX_LAUNCHES = 8;

/** How many travel together. */
export interface BatchSize {
  /** Where several came together last time, the first one waits a moment for the others: one transaction and one commit serve all. */
  readonly gatherMs: () => number;
  readonly most: () => number;
  noteTaken(size: number): void;
  noteTooBig(size: number): void;
}

/** Half of what a node called too big; more by one for each that it took, in case it refused by mistake or was replaced. */
export function createBatchSize(): BatchSize {
  let last = 0;
  let most = MAX_BATCH;
  return {
    gatherMs: () => (last < 4 ? 0 : 15),
    most: () => most,
    noteTaken(size) {
      last = size;
      if (size === most) most = Math.min(MAX_BATCH, size + 1);
    },
    noteTooBig(size) {
      most = Math.max(1, Math.floor(size / 2));
    },
  };
}

/** Takes a lone delivery, or as many others as fit, dropping what expired while it waited. `most`: what nodes take at once. */
export function takeBatch(queue: WaitingDelivery[], most: number): WaitingDelivery[] {
  const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
  const batch: WaitingDelivery[] = [];
  while (queue.length > 0 && batch.length < most) {
    const [item] = queue as [WaitingDelivery];
    if (item.validBefore <= nowSeconds) item.answer({ status: "failed", reason: "authorization_expired" });
    else if (item.launches >= MAX_LAUNCHES) item.answer({ status: "unknown", reason: "could not be sent" });
    else if (!item.isAnswered()) {
      if (item.alone && batch.length > 0) break;
      item.launches++;
      batch.push(item);
    }
    queue.shift();
    if (batch[0]?.alone) break;
  }
  return batch;
}
