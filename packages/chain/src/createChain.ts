import { AssayError } from "@assay/protocol";
import { readNeeds } from "./abilities.js";
import { askHeaders } from "./askHeaders.js";
import { toNodeFailure } from "./askReadings.js";
import { createCanonicalBlocks } from "./canonicalBlocks.js";
import { type ChainTiming, DEFAULT_TIMING } from "./chainTiming.js";
import { createExecutions } from "./executions.js";
import { createHeadFollower } from "./headFollower.js";
import { createJsonRpcEndpoint } from "./jsonRpcEndpoint.js";
import type { RequestInfo } from "./jsonRpcTransport.js";
import { createLatestReads } from "./latestReads.js";
import { findMined } from "./minedTransactions.js";
import { createNodeReports } from "./nodeReports.js";
import { isPassingError } from "./passingReasons.js";
import { createPinnedReads } from "./pinnedReads.js";
import type { RpcAnswer, RpcRequest } from "./rpcAnswer.js";
import { RpcError } from "./rpcError.js";
import { createRpcNode } from "./rpcNode.js";
import { type Ask, type Attempt, createRpcPool, type RpcPool, toFailedAttempt } from "./rpcPool.js";
import { sendTransaction } from "./sendTransaction.js";
import type { BlockHeader, Chain, ChainLogger } from "./types.js";

export interface CreateChainOptions {
  readonly rpcUrls: readonly string[];
  readonly expectedChainId: number;
  readonly logger?: ChainLogger;
  /** Wall clock, for the age of the head. */
  readonly now?: () => number;
  readonly staleHeadMs?: number;
  /** Limit of one HTTP request; a whole `readAt`, with its retries, takes at most twice as long. */
  readonly requestTimeoutMs?: number;
  /** Called after each HTTP request to a node. */
  readonly onRequest?: (info: RequestInfo) => void;
  /** Waiting times that suit other nodes than public ones; tests shorten them. */
  readonly timing?: Partial<ChainTiming>;
}

/**
 * Connects to the nodes, proves their chain id and reads the first head.
 * Throws `WrongChainError` when a node serves another chain, `chain_unavailable` when none answers.
 */
export async function createChain(options: CreateChainOptions): Promise<Chain> {
  const { expectedChainId, logger, now = Date.now, staleHeadMs = 30_000, requestTimeoutMs = 4_000 } = options;
  const labels = labelUrls(options.rpcUrls);
  const nodes = labels.map(({ url, label }) => {
    const endpoint = createJsonRpcEndpoint({ url, label, onRequest: options.onRequest });
    return createRpcNode({ endpoint, expectedChainId, logger });
  });
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const totalTimeoutMs = 2 * requestTimeoutMs;
  const pool = createRpcPool({ nodes, requestTimeoutMs, totalTimeoutMs, timing, logger });
  const headNumber = () => follower.findHead()?.header.number ?? 0;
  const { learnHeader, ...pinnedReads } = createPinnedReads({ pool, headNumber, logger });
  const follower = createHeadFollower({ pool, now, staleHeadMs, timing, onLatest: learnHeader, logger });
  try {
    const answering = await pool.admitAll();
    if (answering === 0) {
      const hosts = labels.map(({ label }) => label).join(", ");
      throw new AssayError("chain_unavailable", `No node answered at start-up: ${hosts}.`);
    }
    if (answering < nodes.length) {
      logger?.warn({ answering, configured: nodes.length }, "not every node answered at start-up");
    }
    await follower.start();
  } catch (error) {
    await follower.close();
    await pool.close();
    throw error;
  }
  return {
    latestBlock: follower.latestBlock,
    ...pinnedReads,
    readLatest: createLatestReads({ pool }),
    request: <T>(method: string, params: readonly unknown[]) =>
      request<T>(pool, { method, params }, headNumber()),
    sendTransaction: (raw, { toEach }) => sendTransaction(pool, raw, toEach),
    findBlock: (number) => findBlock(pool, number, false),
    findAgreedBlock: (number) => findBlock(pool, number, true),
    findFinalizedBlock: () => findFinalizedBlock(pool),
    findMined: (txHash) => findMined(pool, txHash),
    ...createExecutions({ pool }),
    ...createCanonicalBlocks({ pool }),
    findHead: follower.findHead,
    getFreshHead: follower.getFreshHead,
    blockTimeMs: follower.blockTimeMs,
    ...createNodeReports({ pool, headNumber, requestTimeoutMs }),
    async close() {
      // The pool is closed while the follower still closes: that ends a poll which waits for an answer.
      const followed = follower.close();
      await pool.close();
      await followed;
    },
  };
}

/** Nothing proves that the header at a height is the canonical one, so a second node is asked where there is one. */
async function findBlock(
  pool: RpcPool,
  number: number,
  needsSecond: boolean,
): Promise<BlockHeader | undefined> {
  const tags = [`0x${number.toString(16)}`];
  const first = pool.resolve(tags, askHeaders);
  const second =
    pool.size > 1 ? pool.resolveElsewhere(tags, askHeaders, needsSecond ? undefined : first) : [];
  const [[attempt], [other]] = await Promise.all([first, second]);
  if (attempt?.ok && attempt.value.header.number === number) {
    const { header, from } = attempt.value;
    const isConfirmed = pool.size === 1 || (other?.ok && other.value.from !== from);
    if (needsSecond && !isConfirmed)
      throw new AssayError("chain_unavailable", `Only one node returned block ${number}; two are needed.`);
    if (!other?.ok || other.value.header.hash === header.hash) return header;
    throw new AssayError("chain_unavailable", `Two nodes have different blocks at height ${number}.`);
  }
  if (attempt?.ok === false && attempt.reason === "unknown_block") return undefined;
  const reason = attempt?.ok ? "another block was returned" : attempt?.reason;
  throw new AssayError("chain_unavailable", `No node returned block ${number}: ${reason}.`);
}

async function findFinalizedBlock(pool: RpcPool): Promise<BlockHeader | undefined> {
  const [attempt] = await pool.resolve(["finalized"], askHeaders);
  if (attempt?.ok) return attempt.value.header;
  // The reason is this one alone only where every node answered that it has no such block.
  if (attempt?.reason === "unknown_block") return undefined;
  throw new AssayError("chain_unavailable", `No node returned a finalized block: ${attempt?.reason}.`);
}

async function request<T>(pool: RpcPool, rpcRequest: RpcRequest, head: number): Promise<T> {
  const { method } = rpcRequest;
  const ask: Ask<RpcRequest, Answered> = async (node, items, timeoutMs) => {
    const answers = await node.send(items, { timeoutMs });
    return answers.map((answer) => toAttempt(answer, isRepeatable(method)));
  };
  const [attempt] = await pool.resolve([rpcRequest], ask, (one) => readNeeds(one, head));
  if (attempt?.ok) {
    if ("error" in attempt.value) throw new RpcError(attempt.value.error);
    return attempt.value.result as T;
  }
  if (attempt?.error !== undefined) throw new RpcError(attempt.error);
  throw new AssayError("chain_unavailable", `No node answered ${method}: ${attempt?.reason}.`);
}

type Answered = { readonly result: unknown } | Omit<Extract<RpcAnswer, { kind: "error" }>, "kind">;

function toAttempt(answer: RpcAnswer, repeatable: boolean): Attempt<Answered> {
  if (answer.kind === "result") return { ok: true, value: { result: answer.result } };
  if (answer.kind === "no_response") {
    const failed = toFailedAttempt(answer);
    // A transaction that is sent a second time is answered "already known", which would read as a refusal.
    return repeatable || !answer.delivered ? failed : { ...failed, next: "stop" };
  }
  if (!repeatable || !isPassingError(answer.error)) return { ok: true, value: { error: answer.error } };
  return { ...toNodeFailure(answer.error), error: answer.error };
}

function isRepeatable(method: string): boolean {
  return /^(eth|net|web3|debug|txpool|trace)_/.test(method) && !/^eth_(send|sign|submit|new)/i.test(method);
}

/** A node's label is its host alone, because paths and user info often hold API keys. */
function labelUrls(rpcUrls: readonly string[]): { url: URL; label: string }[] {
  const used = new Map<string, number>();
  return rpcUrls.map((rpcUrl) => {
    const url = new URL(rpcUrl);
    const times = (used.get(url.host) ?? 0) + 1;
    used.set(url.host, times);
    return { url, label: times === 1 ? url.host : `${url.host}#${times}` };
  });
}
