import { absent, noAnswer, unanswered } from "@assay/protocol";
import { areSameReading } from "./areSameReading.js";
import { classifyNodeError, findRevertData } from "./classifyNodeError.js";
import { parseBlockHeader } from "./parseBlockHeader.js";
import { type AnyReading, createReadMemo } from "./readMemo.js";
import { createReadQuery, type ReadQuery } from "./readQuery.js";
import type { RpcAnswer, RpcRequest } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import { type Ask, type Attempt, type FailedAttempt, failedBy, type RpcPool } from "./rpcPool.js";
import type { BlockHeader, Chain, ChainLogger, ChainRead, ReadingsOf } from "./types.js";

// Only the newest few blocks are asked about again; codes of 24 KB make bytes the real bound.
const MEMO_LIMITS = { maxEntries: 20_000, maxBytes: 16 * 1024 * 1024 };
const BLOCK_CHANGED: FailedAttempt = { ok: false, reason: "block_changed", next: "elsewhere" };
const UNKNOWN_BLOCK: FailedAttempt = { ok: false, reason: "unknown_block", next: "retry" };
const UNSUPPORTED: FailedAttempt = { ok: false, reason: "method_unsupported", next: "elsewhere" };
const MALFORMED: FailedAttempt = { ok: false, reason: "malformed_answer", next: "retry" };

const SECOND_NODE_SILENT = unanswered("second_node_silent");

// Long enough not to ask in vain with every call, short enough to notice when traces are switched on.
const TRACE_PAUSE_MS = 10 * 60_000;

/**
 * Whether a second node is asked because no proof can tell whether the first one lies: not at all, believing the first
 * where no second one speaks, or with nothing read unless two say the same.
 */
type SecondNode = "unasked" | "heard" | "required";

interface PinnedQuery extends ReadQuery {
  readonly secondNode: SecondNode;
}

interface NodeReading {
  readonly reading: AnyReading;
  /** Label of the node that gave it. */
  readonly from: string;
}

/** Reads at one block. State at a block hash never changes, so each answer is asked for once. */
export function createPinnedReads(options: {
  pool: RpcPool;
  logger?: ChainLogger | undefined;
}): Pick<Chain, "readAt" | "readAgreed" | "provesState"> {
  const { pool, logger } = options;
  const memo = createReadMemo(MEMO_LIMITS);
  const inFlight = new Map<string, Promise<AnyReading>>();
  let givesProofs = false;
  let givesHeaders = false;
  const provesState = () => givesProofs && givesHeaders;
  let tracesRefusedUntilMs = 0;

  /** Whether every node that spoke said that it offers no traces. */
  function refusesTraces({ method }: ReadQuery, first: Answered): boolean {
    const isRefused =
      method === "debug_traceCall" && first?.ok === false && first.reason === UNSUPPORTED.reason;
    if (isRefused) tracesRefusedUntilMs = performance.now() + TRACE_PAUSE_MS;
    return isRefused;
  }

  /** The first answer, unless a second one is different: then nobody knows which is true. */
  function weigh(block: BlockHeader, query: PinnedQuery, first: Answered, second: Answered): AnyReading {
    if (refusesTraces(query, first)) return absent;
    if (!first?.ok) return unanswered(first?.reason ?? "no_answer");
    const { reading, from } = first.value;
    if (second?.ok && !areSameReading(reading, second.value.reading)) {
      // What was asked stays out of the log: a caller's transaction is private.
      const nodes = [from, second.value.from];
      logger?.warn({ nodes, method: query.method, block: block.number }, "nodes disagree");
      return unanswered("nodes_disagree");
    }
    // What one node says twice is still its word alone.
    const isConfirmed = second?.ok && second.value.from !== from;
    return query.secondNode === "required" && !isConfirmed ? SECOND_NODE_SILENT : reading;
  }

  /** All of these in one batch, registered before the first await so that nobody asks twice. */
  function fetch(block: BlockHeader, queries: readonly PinnedQuery[]): void {
    const batch = pool.resolve(queries, (node, items, timeoutMs) => askNode(node, block, items, timeoutMs));
    const heard = queries.filter(({ secondNode }) => secondNode === "heard");
    const required = queries.filter(({ secondNode }) => secondNode === "required");
    const opinions = heard.length > 0 && pool.resolveElsewhere(heard, hurriedly(block), batch);
    const confirmations =
      required.length > 0 &&
      pool.resolveElsewhere(required, (node, items, timeoutMs) => askNode(node, block, items, timeoutMs));
    queries.forEach((query, i) => {
      const [asked, answers] =
        query.secondNode === "required" ? [required, confirmations] : [heard, opinions];
      const at = asked.indexOf(query);
      const second = at === -1 ? undefined : answers;
      const reading = Promise.all([batch, second]).then(([attempts, seconds]): AnyReading => {
        const read = weigh(block, query, attempts[i], seconds ? seconds[at] : undefined);
        memo.remember(query.key, read);
        if (query.method === "eth_getProof") givesProofs = read.status === "value";
        if (query.method === "eth_getBlockByHash") givesHeaders = read.status === "value";
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
      const secondNode = pool.size > 1 ? secondNodeFor(read) : "unasked";
      // One node's word must not be remembered where two are asked for.
      const key = secondNode === "unasked" ? query.key : `${query.key} ${secondNode}`;
      return { ...query, secondNode, key };
    });
    const known = queries.map(({ key, method }) =>
      method === "debug_traceCall" && performance.now() < tracesRefusedUntilMs ? absent : memo.find(key),
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
      read(block, reads, (one) => (needsSecondNode(one, reads, provesState()) ? "heard" : "unasked")),
    readAgreed: (block, reads) => read(block, reads, () => "required"),
    provesState,
  };
}

type Answered = Attempt<NodeReading> | undefined;

/** Whether nothing but a node's word would stand for the answer, and honest nodes cannot differ about it. */
function needsSecondNode(read: ChainRead, beside: readonly ChainRead[], countsOnProofs: boolean): boolean {
  switch (read.kind) {
    case "call":
    case "balance":
    // A slot is asked for by itself only where it has no proof.
    case "storage":
      return true;
    case "code": {
      const isSame = (address: string) => address.toLowerCase() === read.address.toLowerCase();
      return !countsOnProofs || !beside.some((other) => other.kind === "proof" && isSame(other.address));
    }
    // Its hash shows whether a header is true, the header's root a proof.
    case "header":
    case "proof":
    // How far above the need to estimate, and which rewards to sample, each implementation decides.
    case "gasEstimate":
    case "feeHistory":
    // Never the only ground of an allow: it is held against what was measured.
    case "trace":
      return false;
  }
}

/** Where the first node's answer will do, a second one that fails is not waited for. */
const hurriedly =
  (block: BlockHeader): Ask<PinnedQuery, NodeReading> =>
  async (node, items, timeoutMs) =>
    (await askNode(node, block, items, timeoutMs)).map(waitOnlyForBlock);

/** A node that lags has the block a moment later; one that fails is not worth the caller's time. */
function waitOnlyForBlock(attempt: Attempt<NodeReading>): Attempt<NodeReading> {
  return attempt.ok || attempt.reason === UNKNOWN_BLOCK.reason ? attempt : { ...attempt, next: "elsewhere" };
}

async function askNode(
  node: RpcNode,
  block: BlockHeader,
  queries: readonly ReadQuery[],
  timeoutMs: number,
): Promise<Attempt<NodeReading>[]> {
  const attempts = await askReadings(node, block, queries, timeoutMs);
  return attempts.map((attempt) =>
    attempt.ok ? { ok: true, value: { reading: attempt.value, from: node.label } } : attempt,
  );
}

async function askReadings(
  node: RpcNode,
  block: BlockHeader,
  queries: readonly ReadQuery[],
  timeoutMs: number,
): Promise<Attempt<AnyReading>[]> {
  const deadline = performance.now() + timeoutMs;
  const answers = await askPinned(node, block, queries, timeoutMs);
  const attempts = queries.map((query, i) => interpretRead(query, answers[i]));
  const refused = queries.filter((query, i) => !query.byNumberOnly && isRefusal(answers[i]));
  // A node that has proved it pins by hash refused something else than the block object.
  if (node.pinning !== "unproven" || refused.length === 0) return attempts;
  node.pinning = "number";
  const left = Math.ceil(deadline - performance.now());
  if (left <= 0) return attempts;
  const byNumber = await askPinned(node, block, refused, left);
  return queries.map((query, i) => {
    const again = refused.indexOf(query);
    return again === -1 ? (attempts[i] ?? MALFORMED) : interpretRead(query, byNumber[again]);
  });
}

/**
 * By hash where the node can. What must be asked by number is enclosed by two looks at that
 * number's hash in the same batch: a reorganisation before or during it is then seen.
 */
async function askPinned(
  node: RpcNode,
  block: BlockHeader,
  queries: readonly ReadQuery[],
  timeoutMs: number,
): Promise<(RpcAnswer | FailedAttempt | undefined)[]> {
  const number = `0x${block.number.toString(16)}`;
  const isByNumber = (query: ReadQuery) => query.byNumberOnly || node.pinning === "number";
  const requests: RpcRequest[] = queries.map((query) => ({
    method: query.method,
    params: query.params(isByNumber(query) ? number : { blockHash: block.hash }),
  }));
  const numbered = queries.map(isByNumber);
  if (!numbered.includes(true)) return node.send(requests, { timeoutMs });
  const look: RpcRequest = { method: "eth_getBlockByNumber", params: [number, false] };
  const [before, ...rest] = await node.send([look, ...requests, look], { timeoutMs, inOrder: true });
  const moved = findMismatch(block, before) ?? findMismatch(block, rest.at(-1));
  return queries.map((_, i) => (numbered[i] && moved !== undefined ? moved : rest[i]));
}

function findMismatch(block: BlockHeader, answer: RpcAnswer | undefined): FailedAttempt | undefined {
  if (answer === undefined) return UNKNOWN_BLOCK;
  if (answer.kind === "silence") return failedBy(answer);
  if (answer.kind === "error") return failedByNode(answer.error);
  if (answer.result === null) return UNKNOWN_BLOCK;
  const header = parseBlockHeader(answer.result);
  if (header === undefined) return MALFORMED;
  return header.hash === block.hash.toLowerCase() ? undefined : BLOCK_CHANGED;
}

/** Tells a value, a revert and a non-answer apart. */
export function interpretRead(
  query: Pick<ReadQuery, "mayRevert" | "parse">,
  answer: RpcAnswer | FailedAttempt | undefined,
): Attempt<AnyReading> {
  if (answer === undefined) return MALFORMED;
  if ("ok" in answer) return answer;
  if (answer.kind === "silence") return failedBy(answer);
  if (answer.kind === "error") {
    const isRevert = query.mayRevert && classifyNodeError(answer.error) === "evm_failure";
    if (!isRevert) return failedByNode(answer.error);
    return { ok: true, value: { status: "reverted", data: findRevertData(answer.error) } };
  }
  const value = query.parse(answer.result);
  return value === undefined ? MALFORMED : { ok: true, value };
}

function failedByNode(error: Parameters<typeof classifyNodeError>[0]): FailedAttempt {
  const kind = classifyNodeError(error);
  if (kind === "unknown_block") return UNKNOWN_BLOCK;
  if (kind === "unsupported") return UNSUPPORTED;
  return { ok: false, reason: `node_error_${error.code}`, next: "elsewhere" };
}

function isRefusal(answer: RpcAnswer | FailedAttempt | undefined): boolean {
  return (
    answer !== undefined &&
    "kind" in answer &&
    answer.kind === "error" &&
    classifyNodeError(answer.error) === "bad_params"
  );
}
