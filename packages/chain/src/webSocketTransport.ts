import { type MessageEvent, WebSocket } from "undici";
import { createHeaders, type JsonRpcTransport, type RequestInfo } from "./jsonRpcTransport.js";
import { parseJson, readId, readReply } from "./readReply.js";
import { noResponse, type RpcAnswer } from "./rpcAnswer.js";

const CONNECT_TIMEOUT_MS = 3_000;
const OPEN = 1;

/** An error for the first call of a batch is about the whole batch if no other answer comes within this time. */
const ALONE_MS = 250;

interface Waiting {
  readonly ids: readonly number[];
  /** Answers of a batch that came one by one. */
  readonly parts: object[];
  resolve(answers: RpcAnswer[]): void;
}

/** Sends JSON-RPC over one WebSocket, and hears of new heads (`eth_subscribe`). It connects again when it is next needed. */
export function createWebSocketTransport(options: {
  url: URL;
  label: string;
  onRequest?: ((info: RequestInfo) => void) | undefined;
}): JsonRpcTransport {
  const { label, onRequest } = options;
  const { authorization } = createHeaders(options.url);
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  // The credentials travel in the header alone.
  const url = new URL(options.url);
  [url.username, url.password] = ["", ""];
  const waiting = new Set<Waiting>();
  let opening: Promise<WebSocket> | undefined;
  let onHead: ((header: unknown) => void) | undefined;
  let lastId = 0;
  /** Of the subscription that has no answer yet. */
  let subscriptionId: number | undefined;
  let closed = false;

  function giveUp(socket: WebSocket): void {
    opening = undefined;
    subscriptionId = undefined;
    socket.close();
    for (const { ids, resolve } of waiting) resolve(ids.map(() => noResponse("connection_failed")));
    waiting.clear();
  }

  function receive({ data }: MessageEvent): void {
    const text = typeof data === "string" ? data : Buffer.from(data as ArrayBuffer).toString("utf8");
    const items = parseJson(text);
    const first = Array.isArray(items) ? items[0] : items;
    if (typeof first !== "object" || first === null) return;
    if ("method" in first) {
      if (
        "params" in first &&
        typeof first.params === "object" &&
        first.params !== null &&
        "result" in first.params
      )
        onHead?.(first.params.result);
      return;
    }
    const id = readId(first);
    // An error without an id is about the oldest message that has no answer yet.
    if (id === subscriptionId || (id === null && subscriptionId !== undefined && isOldest(subscriptionId))) {
      subscriptionId = undefined;
      return;
    }
    const to = [...waiting].find(({ ids }) => id === null || ids.includes(id as number));
    if (to === undefined) return;
    if (Array.isArray(items) || id === null || to.ids.length === 1) conclude(to, text);
    else collect(to, first);
  }

  const isOldest = (id: number) => [...waiting].every(({ ids }) => (ids[0] ?? 0) > id);

  function conclude(to: Waiting, text: string): void {
    waiting.delete(to);
    to.resolve(readReply({ status: 200, retryAfter: undefined, text }, to.ids));
  }

  /** Some gateways send each answer of a batch by itself. */
  function collect(to: Waiting, part: object): void {
    to.parts.push(part);
    if (to.parts.length === to.ids.length) conclude(to, JSON.stringify(to.parts));
    if (to.parts.length > 1 || !("error" in part)) return;
    const timer = setTimeout(() => {
      if (to.parts.length === 1 && waiting.has(to)) conclude(to, JSON.stringify(part));
    }, ALONE_MS);
    timer.unref();
  }

  function subscribe(socket: WebSocket): void {
    subscriptionId = ++lastId;
    socket.send(toText({ id: subscriptionId, method: "eth_subscribe", params: ["newHeads"] }));
  }

  function open(): Promise<WebSocket> {
    opening ??= new Promise<WebSocket>((resolve, reject) => {
      const socket = new WebSocket(url, { headers });
      socket.binaryType = "arraybuffer";
      const timer = setTimeout(() => socket.close(), CONNECT_TIMEOUT_MS);
      socket.onopen = () => {
        clearTimeout(timer);
        if (onHead) subscribe(socket);
        resolve(socket);
      };
      socket.onmessage = receive;
      socket.onclose = () => {
        clearTimeout(timer);
        giveUp(socket);
        reject(new Error("the connection was closed"));
      };
    });
    return opening;
  }

  async function exchange(text: string, ids: readonly number[], timeoutMs: number): Promise<RpcAnswer[]> {
    const socket = await open().catch(() => undefined);
    if (socket?.readyState !== OPEN || closed)
      return ids.map(() => ({ ...noResponse("connection_failed"), delivered: false }));
    return new Promise((resolve) => {
      const entry: Waiting = { ids, parts: [], resolve };
      waiting.add(entry);
      const timer = setTimeout(() => {
        waiting.delete(entry);
        resolve(ids.map(() => ({ ...noResponse("timeout"), retryable: false })));
      }, timeoutMs);
      const done = entry.resolve;
      (entry as { resolve: Waiting["resolve"] }).resolve = (answers) => {
        clearTimeout(timer);
        done(answers);
      };
      socket.send(text);
    });
  }

  return {
    async post(requests, timeoutMs) {
      const started = performance.now();
      const calls = requests.map(({ method, params }) => ({ id: ++lastId, method, params }));
      const ids = calls.map(({ id }) => id);
      const text = calls.length === 1 && calls[0] ? toText(calls[0]) : `[${calls.map(toText).join()}]`;
      const answers = await exchange(text, ids, timeoutMs);
      const ok = answers.some(({ kind }) => kind !== "no_response");
      onRequest?.({
        endpoint: label,
        methods: requests.map(({ method }) => method),
        ms: performance.now() - started,
        ok,
      });
      return answers;
    },
    followHeads(listener) {
      onHead = listener;
      // Later connections subscribe as they open.
      opening?.then(subscribe, () => undefined);
    },
    async close() {
      closed = true;
      const socket = await opening?.catch(() => undefined);
      socket?.close();
    },
  };
}

const toText = (call: object) => JSON.stringify({ jsonrpc: "2.0", ...call });
