import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { NodeError } from "../rpcAnswer.js";
import type { NodeCall } from "./faultyNode.js";
import type { LocalAnswer, LocalChain } from "./localChain.js";
import type { ProviderProfile } from "./providerProfiles.js";
import { bend, encode, rewrite, spoil } from "./providerQuirks.js";

/** A JSON-RPC proxy in front of a local chain that imitates a provider. */
export interface ProfiledNode {
  readonly url: string;
  /** JSON-RPC calls since the start, by method. */
  readonly calls: Map<string, number>;
  /** HTTP requests since the start. */
  readonly requests: { count: number };
  /** What is imitated; it may be replaced at any time. */
  profile: ProviderProfile;
  close(): Promise<void>;
}

interface Call extends NodeCall {
  readonly jsonrpc: string;
}
interface Wire {
  readonly status: number;
  readonly headers?: Record<string, string> | undefined;
  readonly body: string;
  /** The connection breaks after the body, which has no end then. */
  readonly isCut?: true;
}

/** Where each method takes its block. */
const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_getCode: 1,
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  debug_traceCall: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
  eth_feeHistory: 1,
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
};
const UNKNOWN: NodeError = { code: -32000, message: "header not found" };
const NO_HASHES: NodeError = {
  code: -32602,
  message: "invalid argument 1: hex string expected, got an object",
};
const NO_OVERRIDES: NodeError = { code: -32602, message: "too many arguments, want at most 2" };
const OLD_PROOF: NodeError = {
  code: -32602,
  message: "distance to target block exceeds maximum proof window",
};

export async function startProfiledNode(chain: LocalChain, profile: ProviderProfile): Promise<ProfiledNode> {
  const calls = new Map<string, number>();
  const requests = { count: 0 };
  const faulty = { calls: 0 };
  const window = { startedAtMs: 0, used: 0 };

  /** Whether the call is within what the provider allows in this second. */
  function isAllowed({ method }: NodeCall): boolean {
    const { limit } = node.profile;
    if (limit === undefined) return true;
    if (performance.now() - window.startedAtMs >= 1_000)
      Object.assign(window, { startedAtMs: performance.now(), used: 0 });
    window.used += limit.weights?.[method] ?? 1;
    return window.used <= limit.perSecond;
  }

  async function answerCall(call: NodeCall, lag: number): Promise<LocalAnswer> {
    calls.set(call.method, (calls.get(call.method) ?? 0) + 1);
    const refusal = await findRefusal(node.profile, call, chain, lag, faulty);
    if (refusal === null) return { result: null };
    if (refusal !== undefined) return { error: refusal };
    const bent = await bend(node.profile, call, chain);
    const params = lag === 0 ? bent.params : await asLagging(chain, bent, lag);
    if (call.method === "eth_getBlockReceipts") return { result: await listReceipts(chain, params[0]) };
    return spoil(node.profile, call, await chain.answer(call.method, params), chain);
  }

  async function answerRequest(text: string): Promise<Wire | "reset"> {
    const { batch, refused, limit, lags, faultyRequests } = node.profile;
    requests.count += 1;
    const body: Call | Call[] = JSON.parse(text);
    const asked = Array.isArray(body) ? body : [body];
    const isFaulty = faultyRequests !== undefined && requests.count % faultyRequests.every === 0;
    if (isFaulty && faultyRequests.as === "reset") return "reset";
    if (isFaulty && faultyRequests.as.startsWith("html"))
      return page(faultyRequests.as === "html_502" ? 502 : faultyRequests.as === "html_504" ? 504 : 200);
    if (batch !== undefined && asked.length > batch.max) {
      const { refusal } = batch;
      if (refusal.kind === "body") return { status: refusal.status, body: refusal.body };
      const id = refusal.namesFirst ? (asked[0]?.id ?? null) : null;
      return json({ jsonrpc: "2.0", id, error: refusal.error }, refusal.status);
    }
    if (refused?.alone && asked.some(({ method }) => refused.methods.includes(method))) {
      for (const { method } of asked) calls.set(method, (calls.get(method) ?? 0) + 1);
      return json({ jsonrpc: "2.0", id: asked[0]?.id ?? null, error: refused.error }, 403);
    }
    const allowed = asked.map(isAllowed);
    const spelling = limit?.spelling;
    if (spelling !== undefined && allowed.includes(false)) {
      if (spelling.kind === "status")
        return {
          status: spelling.status,
          headers: spelling.headers,
          body: spelling.body ?? "Too Many Requests",
        };
      if (spelling.kind === "request") return json({ jsonrpc: "2.0", id: null, error: spelling.error });
    }
    const lag = lags === undefined ? 0 : (lags[requests.count % lags.length] ?? 0);
    const given: Record<string, unknown>[] = [];
    for (const [i, call] of asked.entries()) {
      const answer =
        allowed[i] || spelling?.kind !== "items" ? await answerCall(call, lag) : { error: spelling.error };
      given.push({ jsonrpc: "2.0", id: call.id, ...answer });
    }
    const answers = rewrite(given, node.profile.writes);
    const wire = json(Array.isArray(body) ? answers : answers[0]);
    if (!isFaulty) return wire;
    const isCut = faultyRequests.as === "cut_chunks";
    return { ...wire, body: wire.body.slice(0, Math.ceil(wire.body.length / 2)), ...(isCut && { isCut }) };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { distanceMs = 0, compresses } = node.profile;
    if (distanceMs > 0) await sleep(distanceMs);
    const wire = await answerRequest(text);
    if (distanceMs > 0) await sleep(distanceMs);
    if (wire === "reset") return void response.socket?.resetAndDestroy();
    response.writeHead(wire.status, {
      "content-type": "application/json",
      ...(compresses && { "content-encoding": compresses }),
      ...wire.headers,
    });
    if (wire.isCut) return void response.write(wire.body, () => response.socket?.destroy());
    if (compresses === undefined) response.end(encode(wire.body, node.profile.writes));
    else response.end(compresses === "gzip" ? gzipSync(wire.body) : brotliCompressSync(wire.body));
  }

  const server = createServer((request, response) => {
    // The chain behind it may be closed while a poll is under way.
    respond(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const node: ProfiledNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    calls,
    requests,
    profile,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return node;
}

const json = (body: unknown, status = 200): Wire => ({ status, body: JSON.stringify(body) });
const page = (status: number): Wire => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<html><body><h1>Something is wrong</h1></body></html>",
});

/** The error that the provider answers the call with; null for the result null; undefined for an honest answer. */
async function findRefusal(
  profile: ProviderProfile,
  { method, params }: NodeCall,
  chain: LocalChain,
  lag: number,
  faulty: { calls: number },
): Promise<NodeError | null | undefined> {
  const { refused, faultyCalls, logSpan, proofBlocks, stateBlocks } = profile;
  if (refused?.methods.includes(method)) return refused.error;
  if (faultyCalls?.methods.includes(method) && ++faulty.calls % faultyCalls.every === 0)
    return faultyCalls.error;
  if (method === "eth_getLogs") return logSpan && (await findLongSearch(logSpan, params[0], chain));
  const at = params[BLOCK_AT[method] ?? -1];
  const isHash = typeof at === "object" && at !== null;
  if (profile.takesHashes === false && isHash) return NO_HASHES;
  if (profile.takesOverrides === false && method === "eth_call" && params.length > 2) return NO_OVERRIDES;
  const needsAge = lag > 0 || stateBlocks !== undefined || proofBlocks !== undefined;
  if (!needsAge) return undefined;
  const isNamedByHash = method.startsWith("eth_getBlock") && String(params[0]).length === 66;
  const asked = isNamedByHash ? { blockHash: params[0] } : at;
  const age = await ageOf(chain, asked);
  if (age === undefined) return undefined;
  if (age < lag) return method.startsWith("eth_getBlock") ? null : UNKNOWN;
  if (method.startsWith("eth_getBlock") || method === "eth_feeHistory") return undefined;
  if (method === "eth_getProof" && proofBlocks !== undefined && age - lag > proofBlocks) return OLD_PROOF;
  return stateBlocks !== undefined && age - lag > stateBlocks.blocks ? stateBlocks.error : undefined;
}

async function findLongSearch(
  { blocks, error }: NonNullable<ProviderProfile["logSpan"]>,
  filter: unknown,
  chain: LocalChain,
): Promise<NodeError | undefined> {
  const { fromBlock, toBlock } = filter as { fromBlock?: string; toBlock?: string };
  const head = Number(await chain.rpc<string>("eth_blockNumber"));
  const from = fromBlock === undefined ? head : Number(fromBlock);
  const to = toBlock === undefined || toBlock === "latest" ? head : Number(toBlock);
  return to - from + 1 > blocks ? error : undefined;
}

/** How many blocks before the newest one; undefined where no such block is named. */
async function ageOf(chain: LocalChain, at: unknown): Promise<number | undefined> {
  const hash = typeof at === "object" && at !== null && "blockHash" in at ? at.blockHash : undefined;
  if (hash === undefined && !/^0x[0-9a-f]+$/i.test(String(at))) return undefined;
  const head = Number(await chain.rpc<string>("eth_blockNumber"));
  if (hash === undefined) return Math.max(0, head - Number(at));
  const { result } = await chain.answer("eth_getBlockByHash", [hash, false]);
  const block = result as { number: string } | null | undefined;
  return block ? head - Number(block.number) : undefined;
}

/** As nodes of Base do, and the local chain does not. */
async function listReceipts(chain: LocalChain, at: unknown): Promise<unknown[] | null> {
  const isHash = String(at).length === 66;
  const { result } = await chain.answer(isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber", [at, false]);
  const block = result as { transactions: readonly string[] } | null | undefined;
  if (!block) return null;
  return Promise.all(block.transactions.map((hash) => chain.rpc("eth_getTransactionReceipt", hash)));
}

/** The newest block of a backend that lags is an older one. */
async function asLagging(
  chain: LocalChain,
  { method, params }: NodeCall,
  lag: number,
): Promise<readonly unknown[]> {
  const at = BLOCK_AT[method];
  if (at === undefined || params[at] !== "latest") return params;
  const head = Number(await chain.rpc<string>("eth_blockNumber"));
  return params.map((param, i) => (i === at ? `0x${Math.max(0, head - lag).toString(16)}` : param));
}
