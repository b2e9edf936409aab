import { Pool } from "undici";
import { z } from "zod";
import { classifyNodeError } from "./classifyNodeError.js";
import type { RpcAnswer, RpcRequest, Silence } from "./rpcAnswer.js";

export interface RequestInfo {
  readonly endpoint: string;
  readonly methods: string[];
  readonly ms: number;
  readonly ok: boolean;
}

export interface SendOptions {
  /** For the whole send, however many requests it is split into. */
  readonly timeoutMs: number;
  /** Send the parts of a split batch one after another, so the last request is asked last. */
  readonly inOrder?: boolean;
}

/** One JSON-RPC node over HTTP. It never throws: what was not answered is `silence`. */
export interface JsonRpcEndpoint {
  readonly label: string;
  send(requests: readonly RpcRequest[], options: SendOptions): Promise<RpcAnswer[]>;
  close(): Promise<void>;
}

// Public nodes commonly refuse batches above 100; a smaller limit is learnt from the refusal.
const MAX_BATCH = 100;
// Questions of several callers share a request up to this many; a node may work a batch off one by one.
const MAX_SHARED_BATCH = 48;
// The largest honest answer is a batch of contract codes (24 KB each); this leaves a wide margin.
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
const MAX_CONNECTIONS = 32;
const DEFAULT_THROTTLE_MS = 1_000;
const MAX_THROTTLE_MS = 30_000;
const NOT_DELIVERED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const nodeErrorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });

export function createJsonRpcEndpoint(options: {
  url: URL;
  label: string;
  onRequest?: ((info: RequestInfo) => void) | undefined;
}): JsonRpcEndpoint {
  const { url, label, onRequest } = options;
  const path = `${url.pathname}${url.search}`;
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (url.username !== "" || url.password !== "") {
    const userinfo = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(userinfo).toString("base64")}`;
  }
  const pool = new Pool(url.origin, {
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: 30_000,
    connect: { timeout: 3_000 },
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
  const waiting: Parcel[] = [];
  let maxBatch = MAX_BATCH;
  let lastId = 0;

  async function post(body: unknown, timeoutMs: number): Promise<Reply> {
    const response = await pool.request({
      method: "POST",
      path,
      headers,
      body: JSON.stringify(body),
      // One limit over connect, headers and body: a node that drips bytes is as silent as one that hangs.
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.body.text();
    return { status: response.statusCode, retryAfter: response.headers["retry-after"], text };
  }

  async function sendOne(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcAnswer[]> {
    const started = performance.now();
    const calls = requests.map(({ method, params }) => ({ jsonrpc: "2.0", id: ++lastId, method, params }));
    let answers: RpcAnswer[];
    try {
      const reply = await post(calls.length === 1 ? calls[0] : calls, timeoutMs);
      answers = readReply(
        reply,
        calls.map(({ id }) => id),
      );
    } catch (error) {
      answers = calls.map(() => transportSilence(error));
    }
    onRequest?.({
      endpoint: label,
      methods: requests.map(({ method }) => method),
      ms: performance.now() - started,
      ok: answers.some(({ kind }) => kind !== "silence"),
    });
    return answers;
  }

  async function sendPart(requests: readonly RpcRequest[], deadline: number): Promise<RpcAnswer[]> {
    const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
    const answers = await sendOne(requests, timeoutMs);
    if (requests.length === 1 || !isBatchRefusal(answers)) return answers;
    maxBatch = Math.max(1, Math.floor(requests.length / 2));
    return sendParts(requests, deadline, true);
  }

  async function sendParts(
    requests: readonly RpcRequest[],
    deadline: number,
    inOrder: boolean,
  ): Promise<RpcAnswer[]> {
    const parts: (readonly RpcRequest[])[] = [];
    for (let i = 0; i < requests.length; i += maxBatch) parts.push(requests.slice(i, i + maxBatch));
    if (!inOrder) return (await Promise.all(parts.map((part) => sendPart(part, deadline)))).flat();
    const answers: RpcAnswer[] = [];
    for (const part of parts) answers.push(...(await sendPart(part, deadline)));
    return answers;
  }

  /** Several small batches as one request, if together they are not too long for a node that works them off in a row. */
  async function sendShared(parcels: readonly Parcel[]): Promise<void> {
    const deadline = performance.now() + Math.max(...parcels.map(({ timeoutMs }) => timeoutMs));
    const answers = await sendParts(
      parcels.flatMap(({ requests }) => requests),
      deadline,
      false,
    );
    let from = 0;
    for (const { requests, resolve } of parcels) {
      resolve(answers.slice(from, from + requests.length));
      from += requests.length;
    }
  }

  function sendWaiting(): void {
    let parcels: Parcel[] = [];
    let size = 0;
    for (const parcel of waiting.splice(0)) {
      if (parcels.length > 0 && size + parcel.requests.length > MAX_SHARED_BATCH) {
        void sendShared(parcels);
        parcels = [];
        size = 0;
      }
      parcels.push(parcel);
      size += parcel.requests.length;
    }
    if (parcels.length > 0) void sendShared(parcels);
  }

  function sendTogether(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcAnswer[]> {
    return new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(sendWaiting);
      waiting.push({ requests, timeoutMs, resolve });
    });
  }

  /** What may be of any length travels beside the rest, so that only itself is lost if it is too long. */
  async function sendLongApart(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcAnswer[]> {
    const rest = requests.filter((request) => !isLong(request));
    const [answers, long] = await Promise.all([
      rest.length === 0 ? [] : sendTogether(rest, timeoutMs),
      Promise.all(requests.filter(isLong).map((request) => sendOne([request], timeoutMs))),
    ]);
    const [ordinary, apart] = [[...answers], long.flat()];
    return requests.map((request) => (isLong(request) ? apart : ordinary).shift() ?? silent("no_answer"));
  }

  const send: JsonRpcEndpoint["send"] = (requests, { timeoutMs, inOrder = false }) => {
    // A transaction travels alone: what becomes of it must not depend on a neighbour's answer.
    const isShareable = !inOrder && !requests.some(({ method }) => method.startsWith("eth_send"));
    if (!isShareable) return sendParts(requests, performance.now() + timeoutMs, inOrder);
    return requests.some(isLong) ? sendLongApart(requests, timeoutMs) : sendTogether(requests, timeoutMs);
  };

  return { label, send, close: () => pool.destroy() };
}

/** How long a trace is, or a block with all that is in it, contracts and their callers decide. */
const isLong = ({ method, params }: RpcRequest) =>
  method.startsWith("debug_trace") ||
  method === "eth_getBlockReceipts" ||
  (method === "eth_getBlockByHash" && params[1] === true);

/** What one caller asks, waiting for the end of this turn of the event loop. */
interface Parcel {
  readonly requests: readonly RpcRequest[];
  readonly timeoutMs: number;
  resolve(answers: RpcAnswer[]): void;
}

interface Reply {
  readonly status: number;
  readonly retryAfter: string | string[] | undefined;
  readonly text: string;
}

function readReply(reply: Reply, ids: readonly number[]): RpcAnswer[] {
  const everywhere = (silence: Silence) => ids.map(() => silence);
  if (reply.status === 429) {
    return everywhere({
      kind: "silence",
      reason: "rate_limited",
      delivered: false,
      again: true,
      throttleMs: readRetryAfterMs(reply.retryAfter),
    });
  }
  // A gateway's refusal is not the node speaking, even where the gateway dresses it as JSON-RPC.
  if (reply.status >= 500 || reply.status === 401 || reply.status === 403) {
    return everywhere(silent(`http_${reply.status}`));
  }
  let body: unknown;
  try {
    body = JSON.parse(reply.text);
  } catch {
    return everywhere(silent(reply.status === 200 ? "not_json" : `http_${reply.status}`));
  }
  const byId = new Map<unknown, RpcAnswer>();
  const items: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const item of items) {
    if (typeof item !== "object" || item === null) continue;
    const id = "id" in item ? item.id : null;
    // Two different answers under one id leave no way to know which one is meant.
    byId.set(id, byId.has(id) ? silent("answered_twice") : readItem(item));
  }
  // An error without an id speaks for the whole request: a refused batch, a bad API key.
  const forAll = byId.get(null);
  const missing = forAll?.kind === "error" ? forAll : silent("no_answer");
  return ids.map((id) => byId.get(id) ?? missing);
}

function readItem(item: object): RpcAnswer {
  if ("error" in item && item.error != null) {
    const error = nodeErrorSchema.safeParse(item.error);
    return error.success ? { kind: "error", error: error.data } : silent("malformed_answer");
  }
  return "result" in item && item.result !== undefined
    ? { kind: "result", result: item.result }
    : silent("no_answer");
}

/** Learning a smaller limit is lasting, so a contract that reverts with "batch" must not teach it. */
function isBatchRefusal(answers: readonly RpcAnswer[]): boolean {
  return (
    answers.every(({ kind }) => kind !== "result") &&
    answers.some(
      (answer) =>
        answer.kind === "error" &&
        (answer.error.code === -32600 || /\bbatch/i.test(answer.error.message)) &&
        !["evm_failure", "rate_limited"].includes(classifyNodeError(answer.error)),
    )
  );
}

function silent(reason: string): Silence {
  return { kind: "silence", reason, delivered: true, again: true };
}

function transportSilence(error: unknown): Silence {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    // The wait has used up the time that a second try would need.
    return { kind: "silence", reason: "timeout", delivered: true, again: false };
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    return { kind: "silence", reason: "answer_too_large", delivered: true, again: false };
  }
  return { kind: "silence", reason: "connection_failed", delivered: !NOT_DELIVERED.has(code), again: true };
}

function readRetryAfterMs(header: string | string[] | undefined): number {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return DEFAULT_THROTTLE_MS;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_THROTTLE_MS) : DEFAULT_THROTTLE_MS;
}
