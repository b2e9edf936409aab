import { classifyNodeError } from "./classifyNodeError.js";
import type { ErrorAnswer, RpcAnswer, RpcRequest } from "./rpcAnswer.js";

type Post = (requests: readonly RpcRequest[], timeoutMs: number) => Promise<RpcAnswer[]>;
/** `deadline` is of `performance.now()`. */
export type SendInParts = (
  requests: readonly RpcRequest[],
  deadline: number,
  inOrder: boolean,
) => Promise<RpcAnswer[]>;

// Public nodes commonly refuse batches above 100; a smaller limit is learnt from the refusal.
const MAX_BATCH = 100;

/** Sends batches no larger than the node accepts, which is learnt from its refusals. */
export function createBatchSplitter(post: Post): { send: SendInParts; maxBatch: () => number } {
  let maxBatch = MAX_BATCH;

  async function sendPart(
    requests: readonly RpcRequest[],
    deadline: number,
    inOrder: boolean,
  ): Promise<RpcAnswer[]> {
    const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
    const answers = await post(requests, timeoutMs);
    if (requests.length === 1) return answers;
    const refusal = findRefusal(answers);
    if (refusal !== undefined) {
      const size = readAllowedSize(refusal, requests.length);
      const again = await sendParts(requests, deadline, true, size);
      // Where the parts fare no better, the size was not the reason, and the next batch may be a large one.
      if (again.some((answer) => !isRefused(answer))) maxBatch = Math.min(maxBatch, size);
      return again;
    }
    const missing = requests.flatMap((_, i) => (isLeftOut(answers[i]) ? [i] : []));
    // Some gateways answer as much of a batch as they like.
    if (missing.length > 0 && missing.length < requests.length && !inOrder) {
      const rest = missing.map((i) => requests[i] as RpcRequest);
      const again = await sendParts(rest, deadline, false, requests.length - missing.length);
      return answers.map((answer, i) => again[missing.indexOf(i)] ?? answer);
    }
    // One method that is not offered ends the whole batch with some gateways. Asked apart, each request gets its own answer.
    if (!answers.every(isUnsupportedBatch)) return answers;
    const groups = inOrder ? requests.map((_, i) => [i]) : groupByMethod(requests);
    if (groups.length === 1) return answers.map(ofItself);
    const apart = [...answers];
    for (const group of groups) {
      const given = await sendPart(
        group.map((i) => requests[i] as RpcRequest),
        deadline,
        inOrder,
      );
      for (const [at, i] of group.entries()) apart[i] = given[at] as RpcAnswer;
    }
    return apart;
  }

  async function sendParts(
    requests: readonly RpcRequest[],
    deadline: number,
    inOrder: boolean,
    size: number,
  ): Promise<RpcAnswer[]> {
    const parts: (readonly RpcRequest[])[] = [];
    for (let i = 0; i < requests.length; i += size) parts.push(requests.slice(i, i + size));
    if (!inOrder) return (await Promise.all(parts.map((part) => sendPart(part, deadline, false)))).flat();
    const answers: RpcAnswer[] = [];
    for (const part of parts) answers.push(...(await sendPart(part, deadline, true)));
    return answers;
  }

  return {
    send: (requests, deadline, inOrder) => sendParts(requests, deadline, inOrder, maxBatch),
    maxBatch: () => maxBatch,
  };
}

/** The places of the requests of each method. */
function groupByMethod(requests: readonly RpcRequest[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [i, { method }] of requests.entries()) groups.set(method, [...(groups.get(method) ?? []), i]);
  return [...groups.values()];
}

const isUnsupportedBatch = (answer: RpcAnswer): boolean =>
  answer.kind === "error" && answer.ofBatch === true && classifyNodeError(answer.error) === "unsupported";

const isLeftOut = (answer: RpcAnswer | undefined): boolean =>
  answer?.kind === "no_response" && answer.reason === "no_answer";

/** The requests are all of one method, so what was said of the batch is true of each. */
const ofItself = (answer: RpcAnswer): RpcAnswer =>
  answer.kind === "error" ? { kind: "error", error: answer.error } : answer;

/** A learnt limit is kept, so a contract that reverts with the word "batch" must not cause one. */
function isRefused(answer: RpcAnswer): answer is ErrorAnswer {
  if (answer.kind !== "error") return false;
  const kind = classifyNodeError(answer.error);
  if (kind === "evm_failure" || kind === "rate_limited") return false;
  if (answer.ofBatch === true && (answer.error.code === -32600 || kind === "oversized")) return true;
  return /\bbatch/i.test(answer.error.message);
}

function findRefusal(answers: readonly RpcAnswer[]): ErrorAnswer | undefined {
  return answers.every(({ kind }) => kind !== "result") ? answers.find(isRefused) : undefined;
}

/** What the node says it takes; one at a time where it takes no batches; otherwise half of what it refused. */
function readAllowedSize({ error: { message } }: ErrorAnswer, refused: number): number {
  const stated = [...message.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const allowed = stated.filter((size) => size > 0 && size < refused);
  if (allowed.length > 0) return Math.max(...allowed);
  const takesNone = /not (be )?(supported|allowed|enabled|available|permitted)|disabled|unsupported/i.test(
    message,
  );
  return takesNone ? 1 : Math.max(1, Math.floor(refused / 2));
}
