import { unanswered } from "@assay/protocol";
import { classifyNodeError, findRevertData } from "./classifyNodeError.js";
import { parseBlockHeader } from "./parseBlockHeader.js";
import { type AnyReading, createReadMemo } from "./readMemo.js";
import { createReadQuery, type ReadQuery } from "./readQuery.js";
import type { RpcAnswer, RpcRequest } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import { type Attempt, type FailedAttempt, failedBy, type RpcPool } from "./rpcPool.js";
import type { BlockHeader, Chain, ChainRead, ReadingsOf } from "./types.js";

// Only the newest few blocks are asked about again; codes of 24 KB make bytes the real bound.
const MEMO_LIMITS = { maxEntries: 20_000, maxBytes: 16 * 1024 * 1024 };
const BLOCK_CHANGED: FailedAttempt = { ok: false, reason: "block_changed", next: "elsewhere" };
const UNKNOWN_BLOCK: FailedAttempt = { ok: false, reason: "unknown_block", next: "retry" };
const MALFORMED: FailedAttempt = { ok: false, reason: "malformed_answer", next: "retry" };

/** Reads at one block. State at a block hash never changes, so each answer is asked for once. */
export function createPinnedReads(options: { pool: RpcPool }): Pick<Chain, "readAt" | "provesState"> {
  const { pool } = options;
  const memo = createReadMemo(MEMO_LIMITS);
  const inFlight = new Map<string, Promise<AnyReading>>();
  let givesProofs = false;
  let givesHeaders = false;

  /** All of these in one batch, registered before the first await so that nobody asks twice. */
  function fetch(block: BlockHeader, queries: readonly ReadQuery[]): void {
    const batch = pool.resolve(queries, (node, items, timeoutMs) => askNode(node, block, items, timeoutMs));
    queries.forEach((query, i) => {
      const reading = batch.then((attempts): AnyReading => {
        const attempt = attempts[i];
        const read = attempt?.ok ? attempt.value : unanswered(attempt?.reason ?? "no_answer");
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

  async function readAt<const R extends readonly ChainRead[]>(block: BlockHeader, reads: R) {
    const queries = reads.map((read) => createReadQuery(block, read));
    const known = queries.map(({ key }) => memo.find(key));
    const fresh = new Map<string, ReadQuery>();
    queries.forEach((query, i) => {
      if (known[i] === undefined && !inFlight.has(query.key)) fresh.set(query.key, query);
    });
    if (fresh.size > 0) fetch(block, [...fresh.values()]);
    const readings = await Promise.all(
      queries.map(({ key }, i) => known[i] ?? inFlight.get(key) ?? unanswered("no_answer")),
    );
    // The mapped type follows the order of `reads`, which TypeScript cannot see through `map`.
    return readings as unknown as ReadingsOf<R>;
  }

  return { readAt, provesState: () => givesProofs && givesHeaders };
}

async function askNode(
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
  if (classifyNodeError(error) === "unknown_block") return UNKNOWN_BLOCK;
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
