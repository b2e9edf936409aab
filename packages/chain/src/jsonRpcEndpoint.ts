import { createBatchSharing } from "./batchSharing.js";
import { createBatchSplitter } from "./batchSplitter.js";
import { createOverriding } from "./fold.js";
import { createFolding } from "./foldRequests.js";
import { createJsonRpcTransport, type RequestInfo } from "./jsonRpcTransport.js";
import { noResponse, type RpcAnswer, type RpcRequest } from "./rpcAnswer.js";
import type { Caller } from "./types.js";
import { createWebSocketTransport } from "./webSocketTransport.js";

export interface SendOptions {
  /** For the whole call, however many HTTP requests it takes. */
  readonly timeoutMs: number;
  /** Sends the parts of a split batch one after another, so that the last request is asked last. */
  readonly inOrder?: boolean;
  /** Who waits for the answers: nobody waits long for code that another caller chose (`batchSharing.ts`). */
  readonly caller?: Caller | undefined;
}

/** One JSON-RPC node, over HTTP or a WebSocket. It decides which requests share a batch and which travel alone. */
export interface JsonRpcEndpoint {
  readonly label: string;
  /** One answer for each request, in their order. Never throws: a request without an answer is `no_response`. */
  send(requests: readonly RpcRequest[], options: SendOptions): Promise<RpcAnswer[]>;
  /** The most requests that the node takes in one batch, as far as it is known. */
  maxBatch(): number;
  /** Hears of new heads where the connection carries them; false where it does not. */
  followHeads(listener: (header: unknown) => void): boolean;
  close(): Promise<void>;
}

export function createJsonRpcEndpoint(options: {
  url: URL;
  label: string;
  onRequest?: ((info: RequestInfo) => void) | undefined;
}): JsonRpcEndpoint {
  const isWebSocket = /^wss?:$/.test(options.url.protocol);
  const transport = isWebSocket ? createWebSocketTransport(options) : createJsonRpcTransport(options);
  const splitter = createBatchSplitter(transport.post);
  const overriding = createOverriding();
  const sendTogether = createBatchSharing(createFolding(splitter.send, overriding), overriding);

  /** A request whose answer may be of any length travels beside the others, so that only itself is lost if it is too long. */
  async function sendLongApart(
    requests: readonly RpcRequest[],
    timeoutMs: number,
    caller: Caller | undefined,
  ): Promise<RpcAnswer[]> {
    const rest = requests.filter((request) => !isLong(request));
    const [answers, long] = await Promise.all([
      rest.length === 0 ? [] : sendTogether(rest, timeoutMs, caller),
      Promise.all(requests.filter(isLong).map((request) => transport.post([request], timeoutMs))),
    ]);
    const [ordinary, apart] = [[...answers], long.flat()];
    return requests.map((request) => (isLong(request) ? apart : ordinary).shift() ?? noResponse("no_answer"));
  }

  return {
    label: options.label,
    send(requests, { timeoutMs, inOrder = false, caller }) {
      // A transaction travels alone: its fate must not depend on the answer to another request.
      const isShareable = !inOrder && !requests.some(({ method }) => method.startsWith("eth_send"));
      if (!isShareable) return splitter.send(requests, performance.now() + timeoutMs, inOrder);
      return requests.some(isLong)
        ? sendLongApart(requests, timeoutMs, caller)
        : sendTogether(requests, timeoutMs, caller);
    },
    maxBatch: splitter.maxBatch,
    followHeads(listener) {
      transport.followHeads?.(listener);
      return transport.followHeads !== undefined;
    },
    close: transport.close,
  };
}

/** Contracts and their callers decide how long a trace is, or a block with its content. */
const isLong = ({ method, params }: RpcRequest) =>
  method.startsWith("debug_trace") ||
  method === "eth_getBlockReceipts" ||
  (method === "eth_getBlockByHash" && params[1] === true);
