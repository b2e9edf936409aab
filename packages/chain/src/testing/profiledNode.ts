import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { keccak256 } from "viem";
import type { NodeCall } from "./faultyNode.js";
import type { LocalAnswer, LocalChain } from "./localChain.js";
import { attachSockets } from "./profiledSockets.js";
import { asLagging, findRefusal } from "./profileRefusals.js";
import { type BatchRefusal, PAGES, type ProviderProfile, type ThrottleSpelling } from "./providerProfile.js";
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

export async function startProfiledNode(chain: LocalChain, profile: ProviderProfile): Promise<ProfiledNode> {
  const calls = new Map<string, number>();
  const requests = { count: 0 };
  const faulty = { calls: 0, requests: 0 };
  const cached = new Map<string, { answer: LocalAnswer; atMs: number }>();
  let sent = 0;
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
    if (call.method === "eth_sendRawTransaction") return takeTransaction(call);
    const key = JSON.stringify([call.method, call.params]);
    const known = cached.get(key);
    const { cachesMs } = node.profile;
    if (cachesMs !== undefined && known && performance.now() - known.atMs < cachesMs) return known.answer;
    const answer = await answerHonestly(call, lag);
    if (cachesMs !== undefined) cached.set(key, { answer, atMs: performance.now() });
    return answer;
  }

  async function takeTransaction({ method, params }: NodeCall): Promise<LocalAnswer> {
    const { sends } = node.profile;
    const isHonest = sends === undefined || ++sent % sends.every !== 0;
    if (!isHonest && sends.as === "forgotten") return { result: keccak256(params[0] as `0x${string}`) };
    const answer = await chain.answer(method, params);
    return isHonest ? answer : { error: { code: -32000, message: "upstream request timeout" } };
  }

  async function answerHonestly(call: NodeCall, lag: number): Promise<LocalAnswer> {
    const bent = await bend(node.profile, call, chain);
    const params = lag === 0 ? bent.params : await asLagging(chain, bent, lag);
    if (call.method === "eth_getBlockReceipts") return { result: await listReceipts(chain, params[0]) };
    return spoil(node.profile, call, await chain.answer(call.method, params), chain);
  }

  async function answerRequest(text: string): Promise<Wire | "reset"> {
    const { batch, refused, limit, lags, faultyRequests } = node.profile;
    requests.count += 1;
    faulty.requests += 1;
    const body: Call | Call[] = JSON.parse(text);
    const asked = Array.isArray(body) ? body : [body];
    const isFaulty = faultyRequests !== undefined && requests.count % faultyRequests.every === 0;
    if (isFaulty && faultyRequests.as === "reset") return "reset";
    if (isFaulty && faultyRequests.as === "empty") return { status: 200, body: "" };
    if (isFaulty && faultyRequests.as in PAGES) return page(PAGES[faultyRequests.as as keyof typeof PAGES]);
    if (batch !== undefined && asked.length > batch.max) return refuse(batch.refusal, asked);
    const { body: size } = node.profile;
    if (size !== undefined && text.length > size.maxBytes) return refuse(size.refusal, asked);
    if (refused?.alone && asked.some(({ method }) => refused.methods.includes(method))) {
      for (const { method } of asked) calls.set(method, (calls.get(method) ?? 0) + 1);
      return json({ jsonrpc: "2.0", id: asked[0]?.id ?? null, error: refused.error }, 403);
    }
    const allowed = asked.map(isAllowed);
    const spelling = limit?.spelling;
    const isOver = allowed.includes(false);
    if (spelling !== undefined && isOver) {
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
      const answer = allowed[i] ? await answerCall(call, lag) : refuseItem(spelling);
      given.push({ jsonrpc: "2.0", id: call.id, ...answer });
    }
    const isFewer = isFaulty && faultyRequests.as === "fewer";
    const kept = isFewer ? Math.ceil(given.length / 2) : node.profile.answersOf;
    const answers = rewrite(given.slice(0, kept), node.profile.writes);
    const wire = json(Array.isArray(body) ? answers : answers[0]);
    if (!isFaulty || isFewer) return wire;
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
  const sockets = attachSockets(server, chain, {
    manner: () => node.profile.webSocket ?? {},
    answer: async (text) => {
      const wire = await answerRequest(text);
      return wire === "reset" ? undefined : wire.body;
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const node: ProfiledNode = {
    url: `${profile.webSocket ? "ws" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    calls,
    requests,
    profile,
    async close() {
      sockets.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return node;
}

const json = (body: unknown, status = 200): Wire => ({ status, body: JSON.stringify(body) });
function refuse(refusal: BatchRefusal, asked: readonly Call[]): Wire {
  if (refusal.kind === "body") return { status: refusal.status, body: refusal.body };
  const id = refusal.namesFirst ? (asked[0]?.id ?? null) : null;
  return json({ jsonrpc: "2.0", id, error: refusal.error }, refusal.status);
}

const refuseItem = (spelling: ThrottleSpelling | undefined) =>
  spelling !== undefined && "error" in spelling ? { error: spelling.error } : { result: null };

const page = (status: number): Wire => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<html><body><h1>Something is wrong</h1></body></html>",
});

/** As nodes of Base do, and the local chain does not. */
async function listReceipts(chain: LocalChain, at: unknown): Promise<unknown[] | null> {
  const isHash = String(at).length === 66;
  const { result } = await chain.answer(isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber", [at, false]);
  const block = result as { transactions: readonly string[] } | null | undefined;
  if (!block) return null;
  return Promise.all(block.transactions.map((hash) => chain.rpc("eth_getTransactionReceipt", hash)));
}
