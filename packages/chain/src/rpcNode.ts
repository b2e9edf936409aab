import { createCircuitBreaker } from "./circuitBreaker.js";
import { classifyNodeError } from "./classifyNodeError.js";
import { createExperience } from "./experience.js";
import type { JsonRpcEndpoint, SendOptions } from "./jsonRpcEndpoint.js";
import { countSchema } from "./parseBlockHeader.js";
import { createRefusals } from "./refusals.js";
import { type NoResponse, noResponse, type RpcAnswer, type RpcRequest } from "./rpcAnswer.js";
import type { ChainLogger, NodeReport } from "./types.js";
import { WrongChainError } from "./wrongChainError.js";

/** Whether a node is asked at a block by its hash or by its number; `unproven` means by hash until it refuses. */
export type Pinning = "hash" | "number" | "unproven";

/** One node of the pool: an endpoint, its circuit breaker and what has been learnt about it. */
export interface RpcNode {
  readonly label: string;
  pinning: Pinning;
  /** Checks the node's chain id, once. Returns why the node did not give it, where it did not. Throws `WrongChainError`. */
  admit(timeoutMs: number): Promise<NoResponse | undefined>;
  send(requests: readonly RpcRequest[], options: SendOptions): Promise<RpcAnswer[]>;
  throttledForMs(): number;
  /** Milliseconds since it last throttled; undefined where it never did. */
  sinceThrottledMs(): number | undefined;
  /** The most requests that the node takes in one batch, as far as it is known. */
  maxBatch(): number;
  /** The most blocks of one search for events; undefined until the node refused one, or was asked. */
  logSpan: number | undefined;
  /** What it can, as it was last asked. */
  report: NodeReport | undefined;
  /** Hears of new heads where the connection carries them; false where it does not. */
  followHeads(listener: (header: unknown) => void): boolean;
  /** Asks again for what the node did not offer. */
  forgetRefusals(): void;
  close(): Promise<void>;
}

const RATE_LIMIT_PAUSE_MS = 1_000;
// Long enough not to bother a misconfigured node, short enough to notice when its configuration is corrected.
const WRONG_CHAIN_PAUSE_MS = 30_000;
// No block has this hash: a node that answers a read at it ignores the hash, and must be asked by number.
const NO_SUCH_BLOCK = `0x${"5a".repeat(32)}`;
const ADMISSION: readonly RpcRequest[] = [
  { method: "eth_chainId", params: [] },
  { method: "eth_getBalance", params: [`0x${"00".repeat(20)}`, { blockHash: NO_SUCH_BLOCK }] },
];
const NO_CHAIN_ID: NoResponse = { ...noResponse("no_chain_id"), delivered: false };
const RATE_LIMITED: NoResponse = {
  ...noResponse("rate_limited"),
  delivered: false,
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
  let throttledAtMs: number | undefined;
  let admission: Promise<NoResponse | undefined> | undefined;
  const breaker = createCircuitBreaker({
    now: () => performance.now(),
    onOpen(coolDownMs) {
      // Another node may answer at this address after an outage, so the chain id is checked again.
      admitted = false;
      logger?.warn({ endpoint: label, coolDownMs }, "node does not answer; paused");
    },
    onClose: () => logger?.info({ endpoint: label }, "node answers again"),
  });

  const refusals = createRefusals();
  const experience = createExperience();

  async function send(requests: readonly RpcRequest[], sendOptions: SendOptions): Promise<RpcAnswer[]> {
    const known = requests.map(refusals.find);
    const asked = requests.filter((_, i) => known[i] === undefined);
    if (asked.length === 0) return known as RpcAnswer[];
    const answers = experience.read(asked, await exchange(asked, sendOptions));
    asked.forEach((request, i) => {
      refusals.note(request, answers[i]);
      node.logSpan = readAllowedSpan(request, answers[i]) ?? node.logSpan;
    });
    return known.map((answer) => answer ?? answers.shift() ?? noResponse("no_answer"));
  }

  async function exchange(requests: readonly RpcRequest[], sendOptions: SendOptions): Promise<RpcAnswer[]> {
    if (!breaker.tryEnter()) {
      // A throttle ends at a known time and is worth waiting for; an outage is not.
      const retryable = breaker.throttledForMs() > 0;
      return requests.map(() => ({ ...noResponse("circuit_open"), delivered: false, retryable }));
    }
    const answers = (await endpoint.send(requests, sendOptions)).map(readRateLimit);
    const throttleMs = Math.max(...answers.map((a) => (a.kind === "no_response" ? (a.throttleMs ?? 0) : 0)));
    if (throttleMs > 0) {
      breaker.throttle(throttleMs);
      throttledAtMs = performance.now();
    }
    // A node that throttles works: it is paused, but that does not count as a failure.
    const answered = throttleMs > 0 || answers.some(({ kind }) => kind !== "no_response");
    if (answered) breaker.succeed();
    else breaker.fail();
    return answers;
  }

  async function admitOnce(timeoutMs: number): Promise<NoResponse | undefined> {
    const [chainId = NO_CHAIN_ID, pinned] = await send(ADMISSION, { timeoutMs });
    if (chainId.kind === "no_response") return { ...chainId, delivered: false };
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
    logSpan: undefined,
    report: undefined,
    send,
    async admit(timeoutMs) {
      if (admitted) return undefined;
      admission ??= admitOnce(timeoutMs).finally(() => {
        admission = undefined;
      });
      return admission;
    },
    throttledForMs: () => breaker.throttledForMs(),
    sinceThrottledMs: () => (throttledAtMs === undefined ? undefined : performance.now() - throttledAtMs),
    maxBatch: () => endpoint.maxBatch(),
    followHeads: (listener) => endpoint.followHeads(listener),
    forgetRefusals: refusals.clear,
    close: () => endpoint.close(),
  };
  return node;
}

function readPinning(answer: RpcAnswer | undefined): Pinning {
  if (answer?.kind === "result" && answer.result !== null) return "number";
  if (answer?.kind !== "error") return "unproven";
  const kind = classifyNodeError(answer.error);
  if (kind === "unknown_block" || kind === "state_pruned") return "hash";
  return kind === "bad_params" ? "number" : "unproven";
}

/** Some gateways report a rate limit as a JSON-RPC error with HTTP status 200. */
function readRateLimit(answer: RpcAnswer): RpcAnswer {
  return answer.kind === "error" && classifyNodeError(answer.error) === "rate_limited"
    ? RATE_LIMITED
    : answer;
}

/** Most refusals of a search say how many blocks it may cover. */
function readAllowedSpan({ method, params }: RpcRequest, answer: RpcAnswer | undefined): number | undefined {
  if (method !== "eth_getLogs" || answer?.kind !== "error") return undefined;
  if (
    classifyNodeError(answer.error) !== "range_refused" ||
    /results|logs|size/i.test(withoutMethod(answer.error.message))
  )
    return undefined;
  const { fromBlock, toBlock } = params[0] as { fromBlock?: string; toBlock?: string };
  const asked = Number(toBlock) - Number(fromBlock) + 1;
  const stated = [...answer.error.message.matchAll(/\b\d[\d,]*\b/g)].map(([digits]) =>
    Number(digits.replaceAll(",", "")),
  );
  const allowed = stated.filter((span) => span > 0 && span < asked);
  return allowed.length > 0 ? Math.max(...allowed) : undefined;
}

const withoutMethod = (message: string) => message.replaceAll(/eth_getLogs/gi, "");
