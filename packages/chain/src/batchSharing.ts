import type { SendInParts } from "./batchSplitter.js";
import type { RpcAnswer, RpcRequest } from "./rpcAnswer.js";
import type { Caller } from "./types.js";

// Requests of several callers share a batch up to this size: a node may work on a batch one request at a time.
const MAX_SHARED_BATCH = 48;

/** Requests that wait for the end of this turn of the event loop. */
interface PendingRequests {
  readonly requests: readonly RpcRequest[];
  readonly timeoutMs: number;
  readonly caller: Caller | undefined;
  resolve(answers: RpcAnswer[]): void;
}

/** A caller chooses what runs here, and may choose what takes long. */
const runsCode = ({ method }: RpcRequest) => method === "eth_call" || method === "eth_estimateGas";

/**
 * Sends the small batches of one turn of the event loop as one. A caller that lets the node run code gets a batch of its own,
 * with everything that it asks in this turn: nobody else waits for that code.
 */
export function createBatchSharing(
  send: SendInParts,
): (requests: readonly RpcRequest[], timeoutMs: number, caller: Caller | undefined) => Promise<RpcAnswer[]> {
  const pending: PendingRequests[] = [];

  async function sendShared(group: readonly PendingRequests[]): Promise<void> {
    const deadline = performance.now() + Math.max(...group.map(({ timeoutMs }) => timeoutMs));
    const all = group.flatMap(({ requests }) => requests);
    const answers = await send(all, deadline, false);
    let from = 0;
    for (const { requests, resolve } of group) {
      resolve(answers.slice(from, from + requests.length));
      from += requests.length;
    }
  }

  function sendPending(): void {
    for (const group of groupByCaller(pending.splice(0))) {
      let part: PendingRequests[] = [];
      let size = 0;
      for (const waiting of group) {
        if (part.length > 0 && size + waiting.requests.length > MAX_SHARED_BATCH) {
          void sendShared(part);
          part = [];
          size = 0;
        }
        part.push(waiting);
        size += waiting.requests.length;
      }
      if (part.length > 0) void sendShared(part);
    }
  }

  return (requests, timeoutMs, caller) =>
    new Promise((resolve) => {
      if (pending.length === 0) setImmediate(sendPending);
      pending.push({ requests, timeoutMs, caller, resolve });
    });
}

function groupByCaller(all: readonly PendingRequests[]): PendingRequests[][] {
  const runners = new Set(all.filter(({ requests }) => requests.some(runsCode)).map(({ caller }) => caller));
  const groups = new Map<Caller | undefined, PendingRequests[]>();
  for (const waiting of all) {
    const owner = runners.has(waiting.caller) ? waiting.caller : undefined;
    const group = groups.get(owner) ?? [];
    group.push(waiting);
    groups.set(owner, group);
  }
  return [...groups.values()];
}
