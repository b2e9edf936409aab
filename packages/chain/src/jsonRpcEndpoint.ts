import { classifyNodeError } from "./classifyNodeError.js";
import { createJsonRpcTransport, type RequestInfo } from "./jsonRpcTransport.js";
import { noResponse, type RpcAnswer, type RpcRequest } from "./rpcAnswer.js";

export interface SendOptions {
  /** For the whole call, however many HTTP requests it takes. */
  readonly timeoutMs: number;
  /** Sends the parts of a split batch one after another, so that the last request is asked last. */
  readonly inOrder?: boolean;
}

/** One JSON-RPC node over HTTP. It decides which requests share a batch and which travel alone. */
export interface JsonRpcEndpoint {
  readonly label: string;
  /** One answer for each request, in their order. Never throws: a request without an answer is `no_response`. */
  send(requests: readonly RpcRequest[], options: SendOptions): Promise<RpcAnswer[]>;
  close(): Promise<void>;
}

// Public nodes commonly refuse batches above 100; a smaller limit is learnt from the refusal.
const MAX_BATCH = 100;
// Requests of several callers share a batch up to this size: a node may work on a batch one request at a time.
const MAX_SHARED_BATCH = 48;

export function createJsonRpcEndpoint(options: {
  url: URL;
  label: string;
  onRequest?: ((info: RequestInfo) => void) | undefined;
}): JsonRpcEndpoint {
  const transport = createJsonRpcTransport(options);
  const sendInParts = createBatchSplitter(transport.post);
  const sendTogether = createBatchSharing(sendInParts);

  /** A request whose answer may be of any length travels beside the others, so that only itself is lost if it is too long. */
  async function sendLongApart(requests: readonly RpcRequest[], timeoutMs: number): Promise<RpcAnswer[]> {
    const rest = requests.filter((request) => !isLong(request));
    const [answers, long] = await Promise.all([
      rest.length === 0 ? [] : sendTogether(rest, timeoutMs),
      Promise.all(requests.filter(isLong).map((request) => transport.post([request], timeoutMs))),
    ]);
    const [ordinary, apart] = [[...answers], long.flat()];
    return requests.map((request) => (isLong(request) ? apart : ordinary).shift() ?? noResponse("no_answer"));
  }

  return {
    label: options.label,
    send(requests, { timeoutMs, inOrder = false }) {
      // A transaction travels alone: its fate must not depend on the answer to another request.
      const isShareable = !inOrder && !requests.some(({ method }) => method.startsWith("eth_send"));
      if (!isShareable) return sendInParts(requests, performance.now() + timeoutMs, inOrder);
      return requests.some(isLong) ? sendLongApart(requests, timeoutMs) : sendTogether(requests, timeoutMs);
    },
    close: transport.close,
  };
}

/** Contracts and their callers decide how long a trace is, or a block with its content. */
const isLong = ({ method, params }: RpcRequest) =>
  method.startsWith("debug_trace") ||
  method === "eth_getBlockReceipts" ||
  (method === "eth_getBlockByHash" && params[1] === true);

type Post = (requests: readonly RpcRequest[], timeoutMs: number) => Promise<RpcAnswer[]>;
/** `deadline` is of `performance.now()`. */
type SendInParts = (
  requests: readonly RpcRequest[],
  deadline: number,
  inOrder: boolean,
) => Promise<RpcAnswer[]>;

/** Sends batches no larger than the node accepts, which is learnt from its refusals. */
function createBatchSplitter(post: Post): SendInParts {
  let maxBatch = MAX_BATCH;

  async function sendPart(requests: readonly RpcRequest[], deadline: number): Promise<RpcAnswer[]> {
    const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
    const answers = await post(requests, timeoutMs);
    if (requests.length === 1 || !isBatchRefusal(answers)) return answers;
    maxBatch = Math.max(1, Math.floor(requests.length / 2));
    return sendParts(requests, deadline, true);
  }

  const sendParts: SendInParts = async (requests, deadline, inOrder) => {
    const parts: (readonly RpcRequest[])[] = [];
    for (let i = 0; i < requests.length; i += maxBatch) parts.push(requests.slice(i, i + maxBatch));
    if (!inOrder) return (await Promise.all(parts.map((part) => sendPart(part, deadline)))).flat();
    const answers: RpcAnswer[] = [];
    for (const part of parts) answers.push(...(await sendPart(part, deadline)));
    return answers;
  };
  return sendParts;
}

/** The requests of one caller, which wait for the end of this turn of the event loop. */
interface PendingRequests {
  readonly requests: readonly RpcRequest[];
  readonly timeoutMs: number;
  resolve(answers: RpcAnswer[]): void;
}

/** Sends the small batches of several callers in one turn of the event loop as one. */
function createBatchSharing(send: SendInParts): Post {
  const pending: PendingRequests[] = [];

  async function sendShared(group: readonly PendingRequests[]): Promise<void> {
    const deadline = performance.now() + Math.max(...group.map(({ timeoutMs }) => timeoutMs));
    const all = group.flatMap(({ requests }) => requests);
    const answers = await send(all, deadline, false);
    let from = 0;
    for (const { requests, resolve } of group) {
      resolve(answers.slice(from, from + requests.length));
      from += requests.length;
    }
  }

  function sendPending(): void {
    let group: PendingRequests[] = [];
    let size = 0;
    for (const caller of pending.splice(0)) {
      if (group.length > 0 && size + caller.requests.length > MAX_SHARED_BATCH) {
        void sendShared(group);
        group = [];
        size = 0;
      }
      group.push(caller);
      size += caller.requests.length;
    }
    if (group.length > 0) void sendShared(group);
  }

  return (requests, timeoutMs) =>
    new Promise((resolve) => {
      if (pending.length === 0) setImmediate(sendPending);
      pending.push({ requests, timeoutMs, resolve });
    });
}

/** A learnt limit is kept, so a contract that reverts with the word "batch" must not cause one. */
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
