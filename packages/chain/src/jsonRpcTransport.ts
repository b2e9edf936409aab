import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { Pool } from "undici";
import { type HttpReply, readReply } from "./readReply.js";
import { type NoResponse, noResponse, type RpcAnswer, type RpcRequest } from "./rpcAnswer.js";

export interface RequestInfo {
  readonly endpoint: string;
  readonly methods: string[];
  readonly ms: number;
  readonly ok: boolean;
}

/** Sends JSON-RPC, each call as one HTTP request or one message of a WebSocket. */
export interface JsonRpcTransport {
  /** One answer for each request, in their order. Never throws. */
  post(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcAnswer[]>;
  /** Hears of new heads; only a WebSocket can. */
  followHeads?(listener: (header: unknown) => void): void;
  close(): Promise<void>;
}

// The largest honest answer is a batch of contract codes (24 KB each); this leaves a wide margin.
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
const MAX_CONNECTIONS = 32;
const KEEP_ALIVE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** Errors of a connection that was never made: the node cannot have acted on the request. */
const NOT_DELIVERED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function createJsonRpcTransport(options: {
  url: URL;
  label: string;
  onRequest?: ((info: RequestInfo) => void) | undefined;
}): JsonRpcTransport {
  const { url, label, onRequest } = options;
  const path = `${url.pathname}${url.search}`;
  const headers = createHeaders(url);
  const pool = new Pool(url.origin, {
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
  let lastId = 0;

  async function exchange(body: unknown, timeoutMs: number): Promise<HttpReply> {
    const response = await pool.request({
      method: "POST",
      path,
      headers,
      body: JSON.stringify(body),
      // One limit over connection, headers and body: a node that sends a byte at a time is as useless as one that hangs.
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const text = (await decompress(bytes, response.headers["content-encoding"])).toString("utf8");
    return { status: response.statusCode, retryAfter: response.headers["retry-after"], text };
  }

  return {
    async post(requests, timeoutMs) {
      const started = performance.now();
      const calls = requests.map(({ method, params }) => ({ jsonrpc: "2.0", id: ++lastId, method, params }));
      const ids = calls.map(({ id }) => id);
      const answers = await exchange(calls.length === 1 ? calls[0] : calls, timeoutMs).then(
        (reply) => readReply(reply, ids),
        (error): RpcAnswer[] => ids.map(() => readTransportError(error)),
      );
      onRequest?.({
        endpoint: label,
        methods: requests.map(({ method }) => method),
        ms: performance.now() - started,
        ok: answers.some(({ kind }) => kind !== "no_response"),
      });
      return answers;
    },
    close: () => pool.destroy(),
  };
}

const DECOMPRESS = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["br", promisify(brotliDecompress)],
  ["deflate", promisify(inflate)],
]);

/** RFC 1952, section 2.3.1. JSON never begins like this. */
const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Nothing compressed is asked for, but some gateways compress whatever they are asked, and some do not say so. */
async function decompress(bytes: Buffer, encoding: string | string[] | undefined): Promise<Buffer> {
  const named = DECOMPRESS.get(String(encoding ?? "identity").toLowerCase());
  const decode = named ?? (isGzip(bytes) ? DECOMPRESS.get("gzip") : undefined);
  return decode === undefined ? bytes : decode(bytes, { maxOutputLength: MAX_RESPONSE_BYTES });
}

export function createHeaders({ username, password }: URL): Record<string, string> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  if (username === "" && password === "") return headers;
  const userinfo = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { ...headers, authorization: `Basic ${Buffer.from(userinfo).toString("base64")}` };
}

function readTransportError(error: unknown): NoResponse {
  // The wait has used up the time that a second try would need.
  if (error instanceof DOMException && error.name === "TimeoutError")
    return { ...noResponse("timeout"), retryable: false };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE" || code === "ERR_BUFFER_TOO_LARGE")
    return { ...noResponse("answer_too_large"), retryable: false };
  return { ...noResponse("connection_failed"), delivered: !NOT_DELIVERED.has(code) };
}
