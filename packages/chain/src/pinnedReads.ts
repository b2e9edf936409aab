import { absent, noAnswer, unanswered } from "@assay/protocol";
import { areSameReading } from "./areSameReading.js";
import { askReadings, askReadingsOnce, METHOD_UNSUPPORTED, type NodeReading } from "./askReadings.js";
import { type AnyReading, createReadMemo } from "./readMemo.js";
import { createReadQuery, type ReadQuery } from "./readQuery.js";
import type { Ask, Attempt, RpcPool } from "./rpcPool.js";
import type { BlockHeader, Chain, ChainLogger, ChainRead, ReadingsOf } from "./types.js";

// Only the newest few blocks are asked about again. Codes of 24 KB each make bytes the bound that matters.
const MEMO_LIMITS = { maxEntries: 20_000, maxBytes: 16 * 1024 * 1024 };
const SECOND_NODE_SILENT = unanswered("second_node_silent");

// While no node offers traces they are not asked for. Short enough to notice when an operator enables them.
const TRACE_PAUSE_MS = 10 * 60_000;

/** Codes with which nodes and gateways refuse to search that many blocks (EIP-1474's limit, invalid parameters). */
const RANGE_REFUSALS: ReadonlySet<string> = new Set(
  [-32000, -32005, -32012, -32600, -32602, -32614, -32701].map((code) => `node_error_${code}`),
);

/**
 * The role of a second node, for readings that no proof covers.
 * `none`: it is not asked. `optional`: its answer is compared, and the first node's stands where it gives none.
 * `required`: the reading counts only where two nodes gave the same.
 */
type SecondNode = "none" | "optional" | "required";

interface PinnedQuery extends ReadQuery {
  readonly secondNode: SecondNode;
}

/** Reads at one block. The state at a block hash never changes, so each answer is asked for once and then remembered. */
export function createPinnedReads(options: {
  pool: RpcPool;
  logger?: ChainLogger | undefined;
}): Pick<Chain, "readAt" | "readAgreed" | "provesState"> {
  const { pool, logger } = options;
  const memo = createReadMemo(MEMO_LIMITS);
  const inFlight = new Map<string, Promise<AnyReading>>();
  let hasProofs = false;
  let hasHeaders = false;
  const provesState = () => hasProofs && hasHeaders;
  let tracesPausedUntilMs = 0;

  /** Whether every node that answered does not offer traces, or refuses to search as many blocks for events. */
  function isNotOffered({ method }: ReadQuery, first: Answered): boolean {
    if (first?.ok !== false) return false;
    // Nodes bound the blocks of one search, each with an error of its own.
    if (method === "eth_getLogs")
      return first.reason === METHOD_UNSUPPORTED || RANGE_REFUSALS.has(first.reason);
    const isUnsupported = method === "debug_traceCall" && first.reason === METHOD_UNSUPPORTED;
    if (isUnsupported) tracesPausedUntilMs = performance.now() + TRACE_PAUSE_MS;
    return isUnsupported;
  }

  /** The first answer, unless a second one differs: then it is not known which is true. */
  function combine(block: BlockHeader, query: PinnedQuery, first: Answered, second: Answered): AnyReading {
    if (isNotOffered(query, first)) return absent;
    if (!first?.ok) return unanswered(first?.reason ?? "no_answer");
    const { reading, from } = first.value;
    if (second?.ok && !areSameReading(reading, second.value.reading)) {
      // What was asked stays out of the log: a caller's transaction is private.
      const nodes = [from, second.value.from];
      logger?.warn({ nodes, method: query.method, block: block.number }, "nodes disagree");
      return unanswered("nodes_disagree");
    }
    // Two answers of the same node do not confirm each other.
    const isConfirmed = second?.ok && second.value.from !== from;
    return query.secondNode === "required" && !isConfirmed ? SECOND_NODE_SILENT : reading;
  }

  /** Asks for all of these in one batch, registered before the first await so that no caller asks a second time. */
  function fetch(block: BlockHeader, queries: readonly PinnedQuery[]): void {
    const ask: Ask<PinnedQuery, NodeReading> = (node, items, timeoutMs) =>
      askReadings(node, block, items, timeoutMs);
    const askOnce: Ask<PinnedQuery, NodeReading> = (node, items, timeoutMs) =>
      askReadingsOnce(node, block, items, timeoutMs);
    const batch = pool.resolve(queries, ask);
    const optional = queries.filter(({ secondNode }) => secondNode === "optional");
    const required = queries.filter(({ secondNode }) => secondNode === "required");
    const comparisons = optional.length > 0 && pool.resolveElsewhere(optional, askOnce, batch);
    const confirmations = required.length > 0 && pool.resolveElsewhere(required, ask);
    queries.forEach((query, i) => {
      const [asked, answers] =
        query.secondNode === "required" ? [required, confirmations] : [optional, comparisons];
      const at = asked.indexOf(query);
      const second = at === -1 ? undefined : answers;
      const reading = Promise.all([batch, second]).then(([attempts, seconds]): AnyReading => {
        const read = combine(block, query, attempts[i], seconds ? seconds[at] : undefined);
        memo.remember(query.key, read);
        if (query.method === "eth_getProof") hasProofs = read.status === "value";
        if (query.method === "eth_getBlockByHash") hasHeaders = read.status === "value";
        return read;
      });
      inFlight.set(
        query.key,
        reading.finally(() => inFlight.delete(query.key)),
      );
    });
  }

  async function read<const R extends readonly ChainRead[]>(
    block: BlockHeader,
    reads: R,
    secondNodeFor: (read: ChainRead) => SecondNode,
  ): Promise<ReadingsOf<R>> {
    const queries = reads.map((read): PinnedQuery => {
      const query = createReadQuery(block, read);
      const secondNode = pool.size > 1 ? secondNodeFor(read) : "none";
      // A reading of one node must not be taken from the memo where two nodes are required.
      const key = secondNode === "none" ? query.key : `${query.key} ${secondNode}`;
      return { ...query, secondNode, key };
    });
    const known = queries.map(({ key, method }) =>
      method === "debug_traceCall" && performance.now() < tracesPausedUntilMs ? absent : memo.find(key),
    );
    const fresh = new Map<string, PinnedQuery>();
    queries.forEach((query, i) => {
      if (known[i] === undefined && !inFlight.has(query.key)) fresh.set(query.key, query);
    });
    if (fresh.size > 0) fetch(block, [...fresh.values()]);
    const readings = await Promise.all(
      queries.map(({ key }, i) => known[i] ?? inFlight.get(key) ?? noAnswer),
    );
    // The mapped type follows the order of `reads`, which TypeScript cannot see through `map`.
    return readings as unknown as ReadingsOf<R>;
  }

  return {
    readAt: (block, reads) =>
      read(block, reads, (one) => (needsSecondNode(one, reads, provesState()) ? "optional" : "none")),
    readAgreed: (block, reads) => read(block, reads, () => "required"),
    provesState,
  };
}

type Answered = Attempt<NodeReading> | undefined;

/** Whether the answer has no proof and is the same with every honest node. `beside` are the reads of the same call. */
function needsSecondNode(read: ChainRead, beside: readonly ChainRead[], hasProofs: boolean): boolean {
  switch (read.kind) {
    case "call":
    case "balance":
    case "nonce":
    // Callers read a slot by itself only where they have no proof of it.
    case "storage":
      return true;
    case "code": {
      const isSame = (address: string) => address.toLowerCase() === read.address.toLowerCase();
      return !hasProofs || !beside.some((other) => other.kind === "proof" && isSame(other.address));
    }
    // The block hash proves the header, and the header's state root proves the rest.
    case "header":
    case "proof":
    // Implementations legitimately differ in the margin of an estimate and in the sampling of rewards.
    case "gasEstimate":
    case "feeHistory":
    // A trace is never the only reason for an allow: it is compared with measured balances.
    case "trace":
    // What changes and who is named are hints; what they lead to is read from the state.
    case "storageChanges":
    case "logs":
      return false;
  }
}
