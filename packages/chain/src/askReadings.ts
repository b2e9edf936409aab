import { rateAbility, readNeeds } from "./abilities.js";
import { classifyNodeError, findRevertData, type NodeErrorKind } from "./classifyNodeError.js";
import { parseBlockHeader } from "./parseBlockHeader.js";
import type { AnyReading } from "./readMemo.js";
import type { ReadQuery } from "./readQuery.js";
import type { NodeError, RpcAnswer, RpcRequest } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import { type Attempt, type FailedAttempt, toFailedAttempt } from "./rpcPool.js";
import type { BlockHeader, Caller } from "./types.js";

/** The reason of a node that does not offer a method. */
export const METHOD_UNSUPPORTED = "method_unsupported";
/** The reason of a node that does not search as many blocks for events, or returns as many. */
export const RANGE_REFUSED = "range_refused";
/** The reason of a node that no longer has the state of the block. */
export const STATE_PRUNED = "state_pruned";

/** The reason of a node that proves newer blocks only. */
export const PROOF_WINDOW = "proof_window";

const BLOCK_CHANGED: FailedAttempt = { ok: false, reason: "block_changed", next: "elsewhere" };
const UNKNOWN_BLOCK: FailedAttempt = { ok: false, reason: "unknown_block", next: "await_block" };
const UNSUPPORTED: FailedAttempt = { ok: false, reason: METHOD_UNSUPPORTED, next: "elsewhere" };
const MALFORMED: FailedAttempt = { ok: false, reason: "malformed_answer", next: "retry" };

export interface NodeReading {
  readonly reading: AnyReading;
  /** Label of the node that gave it. */
  readonly from: string;
}

/** Asks one node for readings at one block. */
export async function askReadings(
  node: RpcNode,
  block: BlockHeader,
  queries: readonly ReadQuery[],
  timeoutMs: number,
  caller: Caller | undefined,
): Promise<Attempt<NodeReading>[]> {
  const attempts = await askByHashOrNumber(node, block, queries, timeoutMs, caller);
  return attempts.map((attempt) =>
    attempt.ok ? { ok: true, value: { reading: attempt.value, from: node.label } } : attempt,
  );
}

/** A node is retried only for a block it does not have yet; any other failure is final. */
export async function askReadingsOnce(
  ...question: Parameters<typeof askReadings>
): Promise<Attempt<NodeReading>[]> {
  const attempts = await askReadings(...question);
  return attempts.map((attempt) =>
    attempt.ok
      ? attempt
      : { ...attempt, next: attempt.reason === UNKNOWN_BLOCK.reason ? "retry" : "elsewhere" },
  );
}

async function askByHashOrNumber(
  node: RpcNode,
  block: BlockHeader,
  queries: readonly ReadQuery[],
  timeoutMs: number,
  caller: Caller | undefined,
): Promise<Attempt<AnyReading>[]> {
  const deadline = performance.now() + timeoutMs;
  const answers = await askPinned(node, block, queries, timeoutMs, caller);
  const cannot = ({ method, params }: ReadQuery) =>
    rateAbility(node.report, readNeeds({ method, params: params({ blockHash: block.hash }) }, 0)) ===
    "unable";
  const attempts = queries.map((query, i) => interpretRead(query, answers[i], cannot(query)));
  const refused = queries.filter((query, i) => !query.byNumberOnly && isRefusal(answers[i]));
  // A node that is known to accept block hashes refused something else than the block object.
  if (node.pinning !== "unproven" || refused.length === 0) return attempts;
  node.pinning = "number";
  const left = Math.ceil(deadline - performance.now());
  if (left <= 0) return attempts;
  const byNumber = await askPinned(node, block, refused, left, caller);
  return queries.map((query, i) => {
    const again = refused.indexOf(query);
    return again === -1 ? (attempts[i] ?? MALFORMED) : interpretRead(query, byNumber[again], cannot(query));
  });
}

/**
 * Asks by block hash where the node can. Questions that must name the block by number are enclosed by two requests for
 * that number's header in the same batch, which show a reorganisation before or during it.
 */
async function askPinned(
  node: RpcNode,
  block: BlockHeader,
  queries: readonly ReadQuery[],
  timeoutMs: number,
  caller: Caller | undefined,
): Promise<(RpcAnswer | FailedAttempt | undefined)[]> {
  const number = `0x${block.number.toString(16)}`;
  const isByNumber = (query: ReadQuery) => query.byNumberOnly || node.pinning === "number";
  const requests: RpcRequest[] = queries.map((query) => ({
    method: query.method,
    params: query.params(isByNumber(query) ? number : { blockHash: block.hash }),
    ...(query.apart && { apart: true }),
  }));
  const numbered = queries.map(isByNumber);
  if (!numbered.includes(true)) return node.send(requests, { timeoutMs, caller });
  const header: RpcRequest = { method: "eth_getBlockByNumber", params: [number, false] };
  const [before, ...rest] = await node.send([header, ...requests, header], { timeoutMs, inOrder: true });
  const mismatch = findMismatch(block, before) ?? findMismatch(block, rest.at(-1));
  return queries.map((_, i) => (numbered[i] && mismatch !== undefined ? mismatch : rest[i]));
}

function findMismatch(block: BlockHeader, answer: RpcAnswer | undefined): FailedAttempt | undefined {
  if (answer === undefined) return UNKNOWN_BLOCK;
  if (answer.kind === "no_response") return toFailedAttempt(answer);
  if (answer.kind === "error") return toNodeFailure(answer.error);
  if (answer.result === null) return UNKNOWN_BLOCK;
  const header = parseBlockHeader(answer.result);
  if (header === undefined) return MALFORMED;
  return header.hash === block.hash.toLowerCase() ? undefined : BLOCK_CHANGED;
}

/** Distinguishes a value, a revert and a failure to answer. `cannot`: the node is known not to answer such questions. */
export function interpretRead(
  query: Pick<ReadQuery, "mayRevert" | "parse" | "mayBeNull">,
  answer: RpcAnswer | FailedAttempt | undefined,
  cannot = false,
): Attempt<AnyReading> {
  if (answer === undefined) return MALFORMED;
  if ("ok" in answer) return answer;
  if (answer.kind === "no_response") return toFailedAttempt(answer);
  if (answer.kind === "error") {
    const isRevert = query.mayRevert && classifyNodeError(answer.error) === "evm_failure";
    if (!isRevert) return toNodeFailure(answer.error);
    return { ok: true, value: { status: "reverted", data: findRevertData(answer.error) } };
  }
  if (!query.mayBeNull && answer.result === null) return cannot ? UNSUPPORTED : UNKNOWN_BLOCK;
  const value = query.parse(answer.result);
  return value === undefined ? MALFORMED : { ok: true, value };
}

/** What is worth asking the same node again, and what only another one may know. */
const FAILURES: { readonly [K in NodeErrorKind]?: FailedAttempt } = {
  unknown_block: UNKNOWN_BLOCK,
  gateway: { ok: false, reason: "gateway_error", next: "retry" },
  unsupported: UNSUPPORTED,
  range_refused: { ok: false, reason: RANGE_REFUSED, next: "elsewhere" },
  state_pruned: { ok: false, reason: STATE_PRUNED, next: "elsewhere" },
  proof_window: { ok: false, reason: PROOF_WINDOW, next: "elsewhere" },
};

export function toNodeFailure(error: NodeError): FailedAttempt {
  const kind = classifyNodeError(error);
  const next = kind === "unclear" ? "retry" : "elsewhere";
  return FAILURES[kind] ?? { ok: false, reason: `node_error_${error.code}`, next };
}

function isRefusal(answer: RpcAnswer | FailedAttempt | undefined): boolean {
  return (
    answer !== undefined &&
    "kind" in answer &&
    answer.kind === "error" &&
    classifyNodeError(answer.error) === "bad_params"
  );
}
