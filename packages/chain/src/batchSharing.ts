import type { SendInParts } from "./batchSplitter.js";
import type { Overriding } from "./fold.js";
import { sendFolded } from "./foldRequests.js";
import { noResponse, type RpcAnswer, type RpcRequest } from "./rpcAnswer.js";
import { MAX_SHARED_CALLS, packShared, readSharedCalls, runsCode, type SharedCalls } from "./sharedCalls.js";
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

interface Batch {
  /** The one caller of a batch that it does not share. */
  readonly owner: Caller | undefined;
  readonly members: PendingRequests[];
  readonly shared: SharedCalls[];
  /** Requests beside the calls that share a pack. */
  size: number;
}

/**
 * Sends the small batches of one turn of the event loop as one. Callers whose code can run in a pack share one with bounded gas
 * (`sharedCalls.ts`). Any other caller that lets the node run code gets a batch of its own, with everything that it asks in this
 * turn: nobody else waits for that code.
 */
export function createBatchSharing(
  send: SendInParts,
  overriding: Overriding,
): (requests: readonly RpcRequest[], timeoutMs: number, caller: Caller | undefined) => Promise<RpcAnswer[]> {
  const pending: PendingRequests[] = [];

  async function sendBatch({ members, shared }: Batch): Promise<void> {
    const deadline = performance.now() + Math.max(...members.map(({ timeoutMs }) => timeoutMs));
    const all = members.flatMap(({ requests }) => requests);
    const answers =
      shared.length > 0
        ? await sendFolded(send, all, [packShared(all, shared, overriding)], deadline)
        : await send(all, deadline, false);
    let from = 0;
    for (const { requests, resolve } of members) {
      const own = answers.slice(from, from + requests.length);
      from += requests.length;
      void completeAnswers(requests, own, deadline).then(resolve);
    }
  }

  /** What the shared pack left open is asked for each caller by itself: only it waits for its own code. */
  async function completeAnswers(
    requests: readonly RpcRequest[],
    answers: readonly (RpcAnswer | undefined)[],
    deadline: number,
  ): Promise<RpcAnswer[]> {
    const left = requests.filter((_, i) => answers[i] === undefined);
    const again = left.length > 0 ? await send(left, deadline, false) : [];
    const given = new Map(left.map((request, i) => [request, again[i]]));
    return requests.map((request, i) => answers[i] ?? given.get(request) ?? noResponse("no_answer"));
  }

  function sendPending(): void {
    for (const batch of planBatches(pending.splice(0), !overriding.isRefused())) void sendBatch(batch);
  }

  return (requests, timeoutMs, caller) =>
    new Promise((resolve) => {
      if (pending.length === 0) setImmediate(sendPending);
      pending.push({ requests, timeoutMs, caller, resolve });
    });
}

function planBatches(all: readonly PendingRequests[], mayPack: boolean): Batch[] {
  const runners = new Set(all.filter(({ requests }) => requests.some(runsCode)).map(({ caller }) => caller));
  const sharing = mayPack ? findSharing(all) : new Map<PendingRequests, SharedCalls>();
  const sharers = new Set([...sharing.keys()].map(({ caller }) => caller));
  const batches: Batch[] = [];
  for (const waiting of all) {
    const { caller, requests } = waiting;
    const owner = runners.has(caller) && !sharers.has(caller) ? caller : undefined;
    const shared = sharing.get(waiting);
    const size = requests.length - (shared?.calls.size ?? 0);
    let batch = batches.find((one) => one.owner === owner && fits(one, size, shared));
    if (batch === undefined) {
      batch = { owner, members: [], shared: [], size: 0 };
      batches.push(batch);
    }
    batch.members.push(waiting);
    batch.size += size;
    if (shared) batch.shared.push(shared);
  }
  return batches;
}

function fits(batch: Batch, size: number, shared: SharedCalls | undefined): boolean {
  if (batch.size + size > MAX_SHARED_BATCH) return false;
  if (shared === undefined) return true;
  const calls = batch.shared.reduce((sum, one) => sum + one.calls.size, shared.calls.size);
  return calls <= MAX_SHARED_CALLS && batch.shared.every(({ at }) => at === shared.at);
}

/** The calls that may share a pack, of callers all of whose calls may. One caller alone sends its calls as they are. */
function findSharing(all: readonly PendingRequests[]): Map<PendingRequests, SharedCalls> {
  const sharing = new Map<PendingRequests, SharedCalls>();
  const others = new Set<Caller | undefined>([undefined]);
  for (const waiting of all) {
    if (!waiting.requests.some(runsCode)) continue;
    const shared = readSharedCalls(waiting.requests);
    if (shared === undefined) others.add(waiting.caller);
    else sharing.set(waiting, shared);
  }
  for (const waiting of sharing.keys()) if (others.has(waiting.caller)) sharing.delete(waiting);
  const callers = new Set([...sharing.keys()].map(({ caller }) => caller));
  return callers.size > 1 ? sharing : new Map();
}
