import { setTimeout as sleep } from "node:timers/promises";
import type { NodeError, Silence } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import type { ChainLogger } from "./types.js";
import { WrongChainError } from "./wrongChainError.js";

/** What one node made of one item. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | FailedAttempt;

export interface FailedAttempt {
  readonly ok: false;
  readonly reason: string;
  /** `retry`: other nodes now, this one again soon. `elsewhere`: other nodes only. `stop`: nobody. */
  readonly next: "retry" | "elsewhere" | "stop";
  readonly error?: NodeError;
}

export type Ask<I, T> = (node: RpcNode, items: readonly I[], timeoutMs: number) => Promise<Attempt<T>[]>;

/** Several nodes of one chain, asked in turn until every item has an answer. */
export interface RpcPool {
  readonly size: number;
  /** Each item goes to the preferred node, and alone to the next ones while it stays unanswered. Never throws. */
  resolve<I, T>(items: readonly I[], ask: Ask<I, T>): Promise<Attempt<T>[]>;
  /**
   * Asks the others than the preferred node, the last one first. As this and `resolve` in the same turn go opposite ways,
   * they hear the same node only where no other answers. Where `first`, what `resolve` gives, would do by itself, an
   * empty list means that a second after it they had not spoken. Never throws.
   */
  resolveElsewhere<I, T>(
    items: readonly I[],
    ask: Ask<I, T>,
    first?: Promise<unknown>,
  ): Promise<Attempt<T>[]>;
  /** Asks every node at once and returns what was answered within a second. */
  askEach<I, T>(item: I, ask: Ask<I, T>): Promise<T[]>;
  prefer(label: string): void;
  /** Checks every node's chain id. Throws `WrongChainError`; returns how many nodes answered. */
  admitAll(): Promise<number>;
  close(): Promise<void>;
}

// A backend that lags behind the one that named the block has it a moment later.
const ROUND_DELAYS_MS = [75, 175];
// A pause longer than this is better spent answering the caller.
const MAX_THROTTLE_WAIT_MS = 1_500;
// A caller who already has an answer should not wait long for a better one.
const SECOND_OPINION_MS = 1_000;
const NO_ANSWER: FailedAttempt = { ok: false, reason: "no_answer", next: "retry" };
const TIMED_OUT: FailedAttempt = { ok: false, reason: "timeout", next: "elsewhere" };
const WRONG_CHAIN: FailedAttempt = { ok: false, reason: "wrong_chain", next: "elsewhere" };

export function createRpcPool(options: {
  nodes: readonly RpcNode[];
  requestTimeoutMs: number;
  totalTimeoutMs: number;
  logger?: ChainLogger | undefined;
}): RpcPool {
  const { requestTimeoutMs, totalTimeoutMs, logger } = options;
  let nodes = [...options.nodes];
  let closed = false;

  function prefer(label: string): void {
    if (nodes[0]?.label === label) return;
    nodes = [...nodes].sort((a, b) => Number(b.label === label) - Number(a.label === label));
  }

  async function askNode<I, T>(
    node: RpcNode,
    items: readonly I[],
    ask: Ask<I, T>,
    timeoutMs: number,
  ): Promise<Attempt<T>[]> {
    const started = performance.now();
    try {
      const silence = await node.admit(timeoutMs);
      if (silence !== undefined) return items.map(() => failedBy(silence));
    } catch (error) {
      if (!(error instanceof WrongChainError)) throw error;
      logger?.warn({ endpoint: node.label, chainId: error.actualChainId }, error.message);
      return items.map(() => WRONG_CHAIN);
    }
    // Admission and question share one allowance; a node slow at the first gets less for the second.
    const left = Math.ceil(timeoutMs - (performance.now() - started));
    return left > 0 ? ask(node, items, left) : items.map(() => TIMED_OUT);
  }

  async function runRound<I, T>(state: Resolution<I, T>, { order, ask, onAnswer }: Inquiry<I, T>) {
    for (const node of order()) {
      const open = state.openIndices();
      const timeoutMs = Math.min(requestTimeoutMs, state.deadline - performance.now());
      if (open.length === 0 || timeoutMs <= 0) return;
      const attempts = await askNode(node, state.itemsAt(open), ask, Math.ceil(timeoutMs));
      if (state.record(open, attempts)) onAnswer?.(node);
    }
  }

  async function inquire<I, T>(items: readonly I[], inquiry: Inquiry<I, T>): Promise<Attempt<T>[]> {
    const state = createResolution<I, T>(items, performance.now() + totalTimeoutMs);
    for (let round = 0; ; round += 1) {
      await runRound(state, inquiry);
      state.closeRound();
      const delay = ROUND_DELAYS_MS[round];
      if (closed || delay === undefined || state.openIndices().length === 0) return state.outcome();
      const throttled = Math.min(...nodes.map((node) => node.throttledForMs()));
      const wait = throttled <= MAX_THROTTLE_WAIT_MS ? Math.max(delay, throttled) : delay;
      if (performance.now() + wait >= state.deadline) return state.outcome();
      await sleep(wait);
    }
  }

  return {
    size: nodes.length,
    resolve: (items, ask) =>
      inquire(items, { ask, order: () => nodes, onAnswer: ({ label }) => prefer(label) }),
    resolveElsewhere(items, ask, first) {
      const others = nodes.slice(1).reverse();
      const answers = inquire(items, { ask, order: () => others });
      return first === undefined ? answers : untilLate(answers, first);
    },
    prefer,
    async askEach(item, ask) {
      const timeoutMs = Math.min(requestTimeoutMs, SECOND_OPINION_MS);
      const answers = await Promise.all(nodes.map((node) => askNode(node, [item], ask, timeoutMs)));
      return answers.flat().flatMap((attempt) => (attempt.ok ? [attempt.value] : []));
    },
    async admitAll() {
      const admitted = await Promise.allSettled(nodes.map((node) => node.admit(requestTimeoutMs)));
      const wrong = admitted.find((result) => result.status === "rejected");
      if (wrong !== undefined) throw wrong.reason;
      return admitted.filter((result) => result.status === "fulfilled" && result.value === undefined).length;
    },
    async close() {
      closed = true;
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

/** What is there a second after `first` at the latest. */
async function untilLate<T>(answers: Promise<T[]>, first: Promise<unknown>): Promise<T[]> {
  const answered = new AbortController();
  const { signal } = answered;
  const late = first.then(() => sleep(SECOND_OPINION_MS, [], { signal })).catch(() => []);
  try {
    return await Promise.race([answers, late]);
  } finally {
    answered.abort();
  }
}

export function failedBy(silence: Silence): FailedAttempt {
  return { ok: false, reason: silence.reason, next: silence.again ? "retry" : "elsewhere" };
}

interface Inquiry<I, T> {
  readonly ask: Ask<I, T>;
  /** Whom to ask in the next round, one after another. */
  readonly order: () => readonly RpcNode[];
  readonly onAnswer?: (node: RpcNode) => void;
}

interface Resolution<I, T> {
  readonly deadline: number;
  openIndices(): number[];
  itemsAt(indices: readonly number[]): I[];
  /** True when at least one item was answered. */
  record(indices: readonly number[], attempts: readonly Attempt<T>[]): boolean;
  /** Gives up on items that no node may be asked for again. */
  closeRound(): void;
  outcome(): Attempt<T>[];
}

function createResolution<I, T>(items: readonly I[], deadline: number): Resolution<I, T> {
  const slots = items.map((item) => ({
    item,
    value: undefined as { value: T } | undefined,
    closed: false,
    mayRetry: false,
    reasons: new Set<string>(),
    error: undefined as NodeError | undefined,
  }));
  return {
    deadline,
    openIndices: () => slots.flatMap((slot, i) => (slot.closed ? [] : [i])),
    itemsAt: (indices) => indices.flatMap((i) => (slots[i] === undefined ? [] : [slots[i].item])),
    record(indices, attempts) {
      let answered = false;
      indices.forEach((index, i) => {
        const slot = slots[index];
        const attempt = attempts[i] ?? NO_ANSWER;
        if (slot === undefined) return;
        if (attempt.ok) {
          slot.value = { value: attempt.value };
          slot.closed = true;
          answered = true;
          return;
        }
        slot.reasons.add(attempt.reason);
        slot.error = attempt.error ?? slot.error;
        slot.mayRetry ||= attempt.next === "retry";
        if (attempt.next === "stop") slot.closed = true;
      });
      return answered;
    },
    closeRound() {
      for (const slot of slots) {
        if (!slot.mayRetry) slot.closed = true;
        slot.mayRetry = false;
      }
    },
    outcome: () =>
      slots.map(({ value, reasons, error }) => {
        if (value !== undefined) return { ok: true, value: value.value };
        return {
          ok: false,
          reason: describe(reasons),
          next: "stop",
          ...(error === undefined ? {} : { error }),
        };
      }),
  };
}

/** A paused node is the consequence of something; where the cause was seen, it alone is told. */
function describe(reasons: ReadonlySet<string>): string {
  const causes = [...reasons].filter((reason) => reason !== "circuit_open");
  return causes.length > 0 ? causes.join(", ") : "circuit_open";
}
