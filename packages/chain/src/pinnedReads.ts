import { absent, noAnswer, unanswered, valueReading } from "@assay/protocol";
import { readNeeds } from "./abilities.js";
import { areSameReading } from "./areSameReading.js";
import type { SeenHeader } from "./askHeaders.js";
import {
  askReadings,
  askReadingsOnce,
  METHOD_UNSUPPORTED,
  type NodeReading,
  RANGE_REFUSED,
  STATE_PRUNED,
} from "./askReadings.js";
import { askTip } from "./askTip.js";
import { type AnyReading, createReadMemo } from "./readMemo.js";
import { createReadQuery, type ReadQuery } from "./readQuery.js";
import type { Ask, Attempt, RpcPool } from "./rpcPool.js";
import type { NeedsOf } from "./suitedNodes.js";
import type { BlockHeader, Caller, Chain, ChainLogger, ChainRead, ReadingsOf } from "./types.js";

// Only the newest few blocks are asked about again. Codes of 24 KB each make bytes the bound that matters.
const MEMO_LIMITS = { maxEntries: 20_000, maxBytes: 16 * 1024 * 1024 };
const SECOND_NODE_SILENT = "second_node_silent";

// No node prunes the state of blocks this new. One that says so has not written it yet.
const NEVER_PRUNED_BLOCKS = 16;

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
  /** Number of the newest block known. */
  headNumber: () => number;
  logger?: ChainLogger | undefined;
}): Pick<Chain, "readAt" | "readAgreed" | "provesState" | "findProvenTip"> & {
  /**
   * Remembers a header that came with the block's number, so that it is not asked for again by its hash. False where its fields do
   * not hash to that.
   */
  learnHeader(seen: SeenHeader): boolean;
} {
  const { pool, headNumber, logger } = options;
  const memo = createReadMemo(MEMO_LIMITS);
  const inFlight = new Map<string, ReadingInFlight>();
  let hasProofs = false;
  let hasHeaders = false;
  const provesState = () => hasProofs && hasHeaders;

  function describeFailure(block: BlockHeader, reason: string): string {
    const isNew = block.number > headNumber() - NEVER_PRUNED_BLOCKS;
    return isNew && reason === STATE_PRUNED ? "unknown_block" : reason;
  }

  /** The first answer, unless a second one differs: then it is not known which is true. */
  function combine(block: BlockHeader, query: PinnedQuery, first: Answered, second: Answered): AnyReading {
    if (isNotOffered(query, first)) return absent;
    if (!first?.ok) return unanswered(describeFailure(block, first?.reason ?? "no_answer"));
    const { reading, from } = first.value;
    if (second?.ok && !areSameReading(reading, second.value.reading)) {
      // What was asked stays out of the log: a caller's transaction is private.
      const nodes = [from, second.value.from];
      logger?.warn({ nodes, method: query.method, block: block.number }, "nodes disagree");
      return unanswered("nodes_disagree");
    }
    // Two answers of the same node do not confirm each other.
    const isConfirmed = second?.ok && second.value.from !== from;
    if (query.secondNode !== "required" || isConfirmed) return reading;
    return unanswered(second?.ok === false ? `${SECOND_NODE_SILENT}, ${second.reason}` : SECOND_NODE_SILENT);
  }

  /** Asks for all of these in one batch, registered before the first await so that no caller asks a second time. */
  function fetch(block: BlockHeader, queries: readonly PinnedQuery[], caller: Caller | undefined): void {
    const ask: Ask<PinnedQuery, NodeReading> = (node, items, timeoutMs) =>
      askReadings(node, block, items, timeoutMs, caller);
    const askOnce: Ask<PinnedQuery, NodeReading> = (node, items, timeoutMs) =>
      askReadingsOnce(node, block, items, timeoutMs, caller);
    const at = `0x${block.number.toString(16)}`;
    const needsOf: NeedsOf<PinnedQuery> = ({ method, params }) =>
      readNeeds({ method, params: params(at) }, headNumber());
    const batch = pool.resolve(queries, ask, needsOf);
    const optional = queries.filter(({ secondNode }) => secondNode === "optional");
    const required = queries.filter(({ secondNode }) => secondNode === "required");
    const comparisons = optional.length > 0 && pool.resolveElsewhere(optional, askOnce, batch, needsOf);
    const confirmations = required.length > 0 && pool.resolveElsewhere(required, ask, undefined, needsOf);
    queries.forEach((query, i) => {
      const [asked, answers] =
        query.secondNode === "required" ? [required, confirmations] : [optional, comparisons];
      const place = asked.indexOf(query);
      const second = place === -1 ? undefined : answers;
      const reading = Promise.all([batch, second]).then(([attempts, seconds]): AnyReading => {
        const read = combine(block, query, attempts[i], seconds ? seconds[place] : undefined);
        memo.remember(query.key, read);
        if (query.method === "eth_getProof") hasProofs = read.status === "value";
        if (query.method === "eth_getBlockByHash") hasHeaders = read.status === "value";
        return read;
      });
      const flight: ReadingInFlight = {
        caller,
        reading: reading.finally(() => {
          if (inFlight.get(query.key) === flight) inFlight.delete(query.key);
        }),
      };
      inFlight.set(query.key, flight);
    });
  }

  async function read<const R extends readonly ChainRead[]>(
    block: BlockHeader,
    reads: R,
    caller: Caller | undefined,
    secondNodeFor: (read: ChainRead) => SecondNode,
    apart?: true,
  ): Promise<ReadingsOf<R>> {
    const queries = reads.map((read): PinnedQuery => {
      const query = createReadQuery(block, read);
      const secondNode = pool.size > 1 ? secondNodeFor(read) : "none";
      // A reading of one node must not be taken from the memo where two nodes are required.
      const key = [query.key, secondNode === "none" ? "" : secondNode, apart ? "apart" : ""].join(" ").trim();
      return { ...query, secondNode, key, ...(apart && { apart }) };
    });
    const known = queries.map(({ key }) => memo.find(key));
    const open = new Map(queries.flatMap((query, i) => (known[i] ? [] : [[query.key, query]])));
    // Who asks only for what is under way waits for it. Who sends a batch anyway asks in it for everything that others wait for
    // too: their batch may take long, because of code that they chose.
    const isUnderWay = [...open.keys()].every((key) => inFlight.has(key));
    const fresh = [...open.values()].filter(({ key }) => {
      const flight = inFlight.get(key);
      return flight === undefined || !(isUnderWay || flight.caller === caller);
    });
    if (fresh.length > 0) fetch(block, fresh, caller);
    const readings = await Promise.all(
      queries.map(({ key }, i) => known[i] ?? inFlight.get(key)?.reading ?? noAnswer),
    );
    // The mapped type follows the order of `reads`, which TypeScript cannot see through `map`.
    return readings as unknown as ReadingsOf<R>;
  }

  return {
    readAt: (block, reads, caller) =>
      read(block, reads, caller, (one) => (needsSecondNode(one, reads, provesState()) ? "optional" : "none")),
    // Both parties must be able to ask for exactly what was asked here.
    readAgreed: (block, reads, caller) => read(block, reads, caller, () => "required", true),
    provesState,
    learnHeader({ header: block, answer }) {
      const { key, parse } = createReadQuery(block, { kind: "header" });
      const known = memo.find(key);
      if (known !== undefined) return known.status === "value";
      const reading = parse(answer);
      // Where the fields do not hash to the block's hash, the node is asked by the hash.
      if (reading?.status !== "value") return false;
      memo.remember(key, reading);
      hasHeaders = true;
      return true;
    },
    async findProvenTip(reads) {
      const [attempt] = await pool.resolve([reads], askTip, () => ({ proofBlocks: 0 }));
      if (!attempt?.ok) return undefined;
      const { block, header, proofs } = attempt.value;
      memo.remember(createReadQuery(block, { kind: "header" }).key, valueReading(header));
      for (const [i, read] of reads.entries())
        memo.remember(createReadQuery(block, read).key, valueReading(proofs[i] ?? []));
      return block;
    },
  };
}

type Answered = Attempt<NodeReading> | undefined;

interface ReadingInFlight {
  readonly caller: Caller | undefined;
  readonly reading: Promise<AnyReading>;
}

/** Whether every node that answered does not offer traces, or does not search as many blocks for events. */
function isNotOffered({ method }: ReadQuery, first: Answered): boolean {
  if (first?.ok !== false) return false;
  if (method === "debug_traceCall") return first.reason === METHOD_UNSUPPORTED;
  return method === "eth_getLogs" && NO_SEARCH.has(first.reason);
}
const NO_SEARCH: ReadonlySet<string> = new Set([METHOD_UNSUPPORTED, RANGE_REFUSED]);

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
    case "creation":
      return false;
  }
}
