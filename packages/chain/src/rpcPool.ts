import { setTimeout as sleep } from "node:timers/promises";
import type { ChainTiming } from "./chainTiming.js";
import type { NodeError, NoResponse } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import { groupBySuits, type NeedsOf, type SuitedGroup, sortBySuits } from "./suitedNodes.js";
import type { ChainLogger } from "./types.js";
import { WrongChainError } from "./wrongChainError.js";

/** What one node answered to one item. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | FailedAttempt;

export interface FailedAttempt {
  readonly ok: false;
  readonly reason: string;
  /**
   * Which nodes may be asked next. `retry`: the others now, this one again soon. `await_block`: the same, and some more times.
   * `elsewhere`: the others. `stop`: none.
   */
  readonly next: "retry" | "await_block" | "elsewhere" | "stop";
  readonly error?: NodeError;
}

export type Ask<I, T> = (node: RpcNode, items: readonly I[], timeoutMs: number) => Promise<Attempt<T>[]>;

/** Several nodes of one chain, asked in turn until every item has an answer. */
export interface RpcPool {
  readonly size: number;
  /**
   * Asks the preferred node for every item, and the next nodes for the items that are still unanswered. What only some nodes can
   * do is asked of those first, at the same time. Never throws.
   */
  resolve<I, T>(items: readonly I[], ask: Ask<I, T>, needsOf?: NeedsOf<I>): Promise<Attempt<T>[]>;
  /**
   * Asks the nodes other than the first one that `resolve` asks, the last one first. `resolve` goes the opposite way, so in the
   * same turn the two get the answer of one node only where no other node answers. Where the result of `resolve` is enough by
   * itself, it is given as `first`, and the list is empty if these nodes have not answered a second after it. Never throws.
   */
  resolveElsewhere<I, T>(
    items: readonly I[],
    ask: Ask<I, T>,
    first?: Promise<unknown>,
    needsOf?: NeedsOf<I>,
  ): Promise<Attempt<T>[]>;
  /** Asks every node at once and returns the answers that arrived within a second. */
  askEach<I, T>(item: I, ask: Ask<I, T>): Promise<T[]>;
  prefer(label: string): void;
  /** Every node, the preferred one first. */
  list(): readonly RpcNode[];
  /** Hears of new heads from the preferred node, where its connection carries them. */
  followHeads(listener: (header: unknown) => void): void;
  /** Whether the preferred node sends its heads by itself. */
  sendsHeads(): boolean;
  /** Checks every node's chain id. Throws `WrongChainError`; returns how many nodes answered. */
  admitAll(): Promise<number>;
  close(): Promise<void>;
}

// Where every node asks for a longer pause, the caller gets its answer without waiting for it.
const MAX_THROTTLE_WAIT_MS = 1_500;
const NO_ANSWER: FailedAttempt = { ok: false, reason: "no_answer", next: "retry" };
const TIMED_OUT: FailedAttempt = { ok: false, reason: "timeout", next: "elsewhere" };
const NONE_ABLE: FailedAttempt = { ok: false, reason: "no_other_node", next: "stop" };
const WRONG_CHAIN: FailedAttempt = { ok: false, reason: "wrong_chain", next: "elsewhere" };

export function createRpcPool(options: {
  nodes: readonly RpcNode[];
  requestTimeoutMs: number;
  totalTimeoutMs: number;
  timing: ChainTiming;
  logger?: ChainLogger | undefined;
}): RpcPool {
  const { requestTimeoutMs, totalTimeoutMs, timing, logger } = options;
  let nodes = [...options.nodes];
  let closed = false;
  const senders = new Set<RpcNode>();

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
      const failure = await node.admit(timeoutMs);
      if (failure !== undefined) return items.map(() => toFailedAttempt(failure));
    } catch (error) {
      if (!(error instanceof WrongChainError)) throw error;
      logger?.warn({ endpoint: node.label, chainId: error.actualChainId }, error.message);
      return items.map(() => WRONG_CHAIN);
    }
    // Admission and question share one time limit.
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
    const delays = [...timing.roundDelaysMs, ...timing.blockDelaysMs];
    for (let round = 0; ; round += 1) {
      await runRound(state, inquiry);
      state.closeRound(round >= timing.roundDelaysMs.length);
      const delay = delays[round];
      if (closed || delay === undefined || state.openIndices().length === 0) return state.outcome();
      const throttled = Math.min(...nodes.map((node) => node.throttledForMs()));
      const wait = throttled <= MAX_THROTTLE_WAIT_MS ? Math.max(delay, throttled) : delay;
      if (performance.now() + wait >= state.deadline) return state.outcome();
      await sleep(wait);
    }
  }

  /** One inquiry for the items that suit the same nodes, all of them at once; the answers are in the items' order. */
  async function inquireBySuits<I, T>(
    items: readonly I[],
    needsOf: NeedsOf<I> | undefined,
    inquireOf: (group: SuitedGroup<I>) => Promise<Attempt<T>[]>,
  ): Promise<Attempt<T>[]> {
    const attempts: Attempt<T>[] = items.map(() => NO_ANSWER);
    await Promise.all(
      groupBySuits(nodes, items, needsOf).map(async (group) => {
        const answers = await inquireOf(group);
        group.places.forEach((place, i) => {
          attempts[place] = answers[i] ?? NO_ANSWER;
        });
      }),
    );
    return attempts;
  }

  return {
    size: nodes.length,
    resolve: (items, ask, needsOf) =>
      inquireBySuits(items, needsOf, (group) =>
        inquire(group.items, {
          ask,
          order: () => sortBySuits(nodes, group.suits),
          // That the preferred node cannot do this says nothing against it otherwise.
          ...(group.suits === undefined && { onAnswer: ({ label }: RpcNode) => prefer(label) }),
        }),
      ),
    resolveElsewhere(items, ask, first, needsOf) {
      const answers = inquireBySuits(items, needsOf, async (group) => {
        const others = sortBySuits(nodes, group.suits).slice(1).reverse();
        // What a node certainly cannot do is not asked of it only to compare.
        const able = sortBySuits(others, group.suits).filter((node) => group.suits?.get(node) !== "unable");
        return able.length > 0
          ? inquire(group.items, { ask, order: () => able })
          : group.items.map(() => NONE_ABLE);
      });
      return first === undefined ? answers : waitAfter(first, answers, timing.secondNodeMs);
    },
    prefer,
    list: () => nodes,
    followHeads(listener) {
      for (const node of nodes) {
        const isSending = node.followHeads((header) => {
          if (nodes[0] === node) listener(header);
        });
        if (isSending) senders.add(node);
      }
    },
    sendsHeads: () => nodes[0] !== undefined && senders.has(nodes[0]),
    async askEach(item, ask) {
      const timeoutMs = Math.min(requestTimeoutMs, timing.secondNodeMs);
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

/** The answers, or an empty list where they are not there `ms` after `first`. */
async function waitAfter<T>(first: Promise<unknown>, answers: Promise<T[]>, ms: number): Promise<T[]> {
  const answered = new AbortController();
  const { signal } = answered;
  const late = first.then(() => sleep(ms, [], { signal })).catch(() => []);
  try {
    return await Promise.race([answers, late]);
  } finally {
    answered.abort();
  }
}

export function toFailedAttempt({ reason, retryable }: NoResponse): FailedAttempt {
  return { ok: false, reason, next: retryable ? "retry" : "elsewhere" };
}

interface Inquiry<I, T> {
  readonly ask: Ask<I, T>;
  /** The nodes to ask in the next round, one after another. */
  readonly order: () => readonly RpcNode[];
  readonly onAnswer?: (node: RpcNode) => void;
}

interface Resolution<I, T> {
  readonly deadline: number;
  openIndices(): number[];
  itemsAt(indices: readonly number[]): I[];
  /** True when at least one item was answered. */
  record(indices: readonly number[], attempts: readonly Attempt<T>[]): boolean;
  /** Closes the items for which no node may be asked again. In late rounds only a block that is not there yet is asked for. */
  closeRound(isLate: boolean): void;
  outcome(): Attempt<T>[];
}

function createResolution<I, T>(items: readonly I[], deadline: number): Resolution<I, T> {
  const slots = items.map((item) => ({
    item,
    value: undefined as { value: T } | undefined,
    closed: false,
    mayRetry: false,
    awaitsBlock: false,
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
        slot.awaitsBlock ||= attempt.next === "await_block";
        if (attempt.next === "stop") slot.closed = true;
      });
      return answered;
    },
    closeRound(isLate) {
      for (const slot of slots) {
        if (!slot.awaitsBlock && (isLate || !slot.mayRetry)) slot.closed = true;
        slot.mayRetry = false;
        slot.awaitsBlock = false;
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

/** A paused node is a consequence. Where its cause is among the reasons, only the cause is reported. */
function describe(reasons: ReadonlySet<string>): string {
  const causes = [...reasons].filter((reason) => reason !== "circuit_open");
  return causes.length > 0 ? causes.join(", ") : "circuit_open";
}
