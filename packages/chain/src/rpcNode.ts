import { createCircuitBreaker } from "./circuitBreaker.js";
import { classifyNodeError } from "./classifyNodeError.js";
import type { JsonRpcEndpoint, SendOptions } from "./jsonRpcEndpoint.js";
import { countSchema } from "./parseBlockHeader.js";
import type { RpcAnswer, RpcRequest, Silence } from "./rpcAnswer.js";
import type { ChainLogger } from "./types.js";
import { WrongChainError } from "./wrongChainError.js";

/** How a node lets a read be pinned; `unproven` means by hash until it refuses. */
export type Pinning = "hash" | "number" | "unproven";

/** One node of the pool: an endpoint with its breaker and what has been learnt about it. */
export interface RpcNode {
  readonly label: string;
  pinning: Pinning;
  /** Has the node prove its chain, once; a returned silence says why it could not. Throws `WrongChainError`. */
  admit(timeoutMs: number): Promise<Silence | undefined>;
  send(requests: readonly RpcRequest[], options: SendOptions): Promise<RpcAnswer[]>;
  throttledForMs(): number;
  close(): Promise<void>;
}

const RATE_LIMIT_PAUSE_MS = 1_000;
// Long enough not to hammer a misconfigured node, short enough to notice when it is put right.
const WRONG_CHAIN_PAUSE_MS = 30_000;
// No block has this hash: a node that answers a read at it ignores the hash, and must be read by number.
const NO_SUCH_BLOCK = `0x${"5a".repeat(32)}`;
const ADMISSION: readonly RpcRequest[] = [
  { method: "eth_chainId", params: [] },
  { method: "eth_getBalance", params: [`0x${"00".repeat(20)}`, { blockHash: NO_SUCH_BLOCK }] },
];
const NO_CHAIN_ID: Silence = { kind: "silence", reason: "no_chain_id", delivered: false, again: true };
const RATE_LIMITED: Silence = {
  kind: "silence",
  reason: "rate_limited",
  delivered: false,
  again: true,
  throttleMs: RATE_LIMIT_PAUSE_MS,
};

export function createRpcNode(options: {
  endpoint: JsonRpcEndpoint;
  expectedChainId: number;
  logger?: ChainLogger | undefined;
}): RpcNode {
  const { endpoint, expectedChainId, logger } = options;
  const { label } = endpoint;
  let admitted = false;
  let admission: Promise<Silence | undefined> | undefined;
  const breaker = createCircuitBreaker({
    now: () => performance.now(),
    onOpen(coolDownMs) {
      // Whatever comes back behind this address has to prove its chain again.
      admitted = false;
      logger?.warn({ endpoint: label, coolDownMs }, "node does not answer; paused");
    },
    onClose: () => logger?.info({ endpoint: label }, "node answers again"),
  });

  async function send(requests: readonly RpcRequest[], sendOptions: SendOptions): Promise<RpcAnswer[]> {
    if (!breaker.tryEnter()) {
      // A throttle ends at a known time and is worth waiting for; an outage is not.
      const again = breaker.throttledForMs() > 0;
      return requests.map(() => ({ kind: "silence", reason: "circuit_open", delivered: false, again }));
    }
    const answers = (await endpoint.send(requests, sendOptions)).map(asSilenceIfRateLimited);
    const throttleMs = Math.max(...answers.map((a) => (a.kind === "silence" ? (a.throttleMs ?? 0) : 0)));
    if (throttleMs > 0) breaker.throttle(throttleMs);
    // A throttling node is alive: it gets its pause, not a mark against it.
    const answered = throttleMs > 0 || answers.some(({ kind }) => kind !== "silence");
    if (answered) breaker.succeed();
    else breaker.fail();
    return answers;
  }

  async function checkChain(timeoutMs: number): Promise<Silence | undefined> {
    const [chainId = NO_CHAIN_ID, pinned] = await send(ADMISSION, { timeoutMs });
    if (chainId.kind === "silence") return { ...chainId, delivered: false };
    const actual = countSchema.safeParse(chainId.kind === "result" ? chainId.result : undefined);
    if (!actual.success) return NO_CHAIN_ID;
    if (actual.data !== expectedChainId) {
      breaker.throttle(WRONG_CHAIN_PAUSE_MS);
      throw new WrongChainError({ host: label, expectedChainId, actualChainId: actual.data });
    }
    node.pinning = readPinning(pinned);
    admitted = true;
    return undefined;
  }

  const node: RpcNode = {
    label,
    pinning: "unproven",
    send,
    async admit(timeoutMs) {
      if (admitted) return undefined;
      admission ??= checkChain(timeoutMs).finally(() => {
        admission = undefined;
      });
      return admission;
    },
    throttledForMs: () => breaker.throttledForMs(),
    close: () => endpoint.close(),
  };
  return node;
}

function readPinning(answer: RpcAnswer | undefined): Pinning {
  if (answer?.kind === "result" && answer.result !== null) return "number";
  if (answer?.kind !== "error") return "unproven";
  const kind = classifyNodeError(answer.error);
  if (kind === "unknown_block") return "hash";
  return kind === "bad_params" ? "number" : "unproven";
}

function asSilenceIfRateLimited(answer: RpcAnswer): RpcAnswer {
  return answer.kind === "error" && classifyNodeError(answer.error) === "rate_limited"
    ? RATE_LIMITED
    : answer;
}
