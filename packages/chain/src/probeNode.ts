import { setTimeout as sleep } from "node:timers/promises";
import { toNodeFailure } from "./askReadings.js";
import { classifyNodeError } from "./classifyNodeError.js";
import { isPassingReason } from "./passingReasons.js";
import { noResponse, type RpcAnswer, type RpcRequest } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import type { NodeReport } from "./types.js";

/**
 * How many blocks before the newest one are tried; a chain that is younger has fewer. Nodes often keep 128, and the newest block is
 * another one by the time that the question arrives.
 */
const PROOF_DISTANCES = [0, 1, 16, 120, 1_000];
export const STATE_DISTANCES = [120, 1_000, 10_000, 1_000_000];
/** Searches of so many blocks are tried. */
const LOG_SPANS = [10, 100, 500, 1_000, 2_000, 10_000];

const LADDERS: { readonly [A in Question["ability"]]?: readonly number[] } = {
  proofBlocks: PROOF_DISTANCES,
  stateBlocks: STATE_DISTANCES,
  logSpan: LOG_SPANS,
};

/** Nobody's account, so that nothing is found and every answer is short. */
const NOBODY = `0x${"0".repeat(36)}a55a`;
/** Returns one word. As the code of an account without code, only a node that takes overrides runs it. */
const RETURN_ONE = "0x600160005260206000f3";
const ONE = `0x${"0".repeat(63)}1`;

/** What was left open is asked again after a while, a few questions at a time: many nodes throttle bursts. */
const PAUSE_MS = 1_000;
const ASKED_AGAIN = 8;
/** What may be a passing trouble is asked for again so often before it counts as a lack. */
const TRIES_AFTER_DOUBT = 4;
const PATIENCE_MS = 6_000;

interface Question {
  readonly ability: keyof Omit<NodeReport, "node" | "batchSize" | "failures">;
  /** What the node can if it answers. */
  readonly value: number | true;
  /** Where the newest block is `head`. */
  readonly request: (head: number) => RpcRequest;
  readonly isAnswer?: (result: unknown) => boolean;
}

/**
 * Asks a node what it can, at a block that it named itself. Throws nothing: where the node did not answer for a reason that
 * passes, it is not known what it can, and that is undefined.
 */
export async function probeNode(
  node: RpcNode,
  headNumber: () => number,
  timeoutMs: number,
): Promise<NodeReport> {
  node.forgetRefusals();
  const questions = listQuestions(headNumber());
  const { answers, failures } = await askPatiently(node, questions, headNumber, timeoutMs);
  const best = (ability: Question["ability"]): number | true | null | undefined => {
    const asked = questions.flatMap((question, i) =>
      question.ability === ability ? [{ question, answer: answers[i] }] : [],
    );
    const can = asked
      .filter(({ question, answer }) => isAnswered(question, answer))
      .map(({ question }) => question.value);
    if (can.includes(true)) return true;
    // A young chain does not have more blocks to try, which says nothing against the node.
    if (can.length === asked.length) return LADDERS[ability]?.at(-1) ?? null;
    const most = can.length > 0 ? Math.max(...(can as number[])) : null;
    const mayBeMore = asked.some(
      ({ question, answer }) => isOpen(answer) && (most === null || Number(question.value) > most),
    );
    return mayBeMore ? undefined : most;
  };
  const number = (ability: Question["ability"]) => best(ability) as number | null | undefined;
  const boolean = (ability: Question["ability"]) => {
    const found = best(ability);
    return found === undefined ? undefined : found !== null;
  };
  return {
    node: node.label,
    proofBlocks: number("proofBlocks"),
    stateBlocks: number("stateBlocks"),
    logSpan: number("logSpan"),
    overrides: boolean("overrides"),
    traces: boolean("traces"),
    simulations: boolean("simulations"),
    blockReceipts: boolean("blockReceipts"),
    batchSize: node.maxBatch(),
    failures,
  };
}

/** The answers, and why some of them came only when they were asked for again, or not at all. */
async function askPatiently(
  node: RpcNode,
  questions: readonly Question[],
  headNumber: () => number,
  timeoutMs: number,
): Promise<{ answers: readonly RpcAnswer[]; failures: readonly string[] }> {
  const deadline = performance.now() + PATIENCE_MS;
  const send = (asked: readonly Question[]) => {
    const head = headNumber();
    return node.send(
      asked.map(({ request }) => request(head)),
      { timeoutMs },
    );
  };
  const answers = await send(questions);
  const failures = new Set<string>();
  for (let tries = 0; ; tries += 1) {
    const failed = questions.flatMap((_, i) => (isOpen(answers[i]) ? [i] : []));
    for (const i of failed) failures.add(describeFailure(answers[i]));
    const doubted = questions.flatMap((_, i) => (isDoubtful(answers[i]) ? [i] : []));
    const open = [...failed, ...(tries < TRIES_AFTER_DOUBT ? doubted : [])];
    const waitMs = Math.max(PAUSE_MS, node.throttledForMs());
    if (open.length === 0 || performance.now() + waitMs > deadline) break;
    await sleep(waitMs);
    const again = open.slice(0, ASKED_AGAIN);
    const given = await send(again.map((i) => questions[i] as Question));
    again.forEach((i, place) => {
      answers[i] = given[place] ?? noResponse("no_answer");
    });
  }
  // A paused node is a consequence.
  if (failures.size > 1) failures.delete("circuit_open");
  return { answers, failures: [...failures] };
}

function describeFailure(answer: RpcAnswer | undefined): string {
  if (answer?.kind === "no_response") return answer.reason;
  return answer?.kind === "error" ? toNodeFailure(answer.error).reason : "no_answer";
}

/** Those that a chain of this height has blocks for. */
function listQuestions(height: number): Question[] {
  const at = (head: number, distance: number) => `0x${(head - distance).toString(16)}`;
  const isOld = (distance: number) => distance < height;
  const call = { to: NOBODY, data: "0x", gas: "0xffff" };
  const overrides = { [NOBODY]: { code: RETURN_ONE } };
  const filter = { address: NOBODY, topics: [ONE] };
  return [
    ...PROOF_DISTANCES.filter(isOld).map(
      (value): Question => ({
        ability: "proofBlocks",
        value,
        // The newest block may be another one by the time that the question arrives.
        request: (head) => ({
          method: "eth_getProof",
          params: [NOBODY, [], value === 0 ? "latest" : at(head, value)],
        }),
        isAnswer: (result) => typeof result === "object" && result !== null,
      }),
    ),
    ...[0, ...STATE_DISTANCES].filter(isOld).map(
      (value): Question => ({
        ability: "stateBlocks",
        value,
        request: (head) => ({ method: "eth_getBalance", params: [NOBODY, at(head, value)] }),
      }),
    ),
    ...LOG_SPANS.filter((span) => isOld(span) || span === LOG_SPANS[0]).map(
      (value): Question => ({
        ability: "logSpan",
        value,
        request: (head) => ({
          method: "eth_getLogs",
          params: [{ ...filter, fromBlock: at(head, Math.min(head, value - 1)), toBlock: at(head, 0) }],
        }),
      }),
    ),
    {
      ability: "overrides",
      value: true,
      request: () => ({ method: "eth_call", params: [call, "latest", overrides] }),
      isAnswer: (result) => result === ONE,
    },
    {
      ability: "traces",
      value: true,
      request: () => ({ method: "debug_traceCall", params: [call, "latest", { tracer: "callTracer" }] }),
    },
    {
      ability: "simulations",
      value: true,
      request: () => ({
        method: "eth_simulateV1",
        params: [{ blockStateCalls: [{ calls: [call] }] }, "latest"],
      }),
    },
    {
      ability: "blockReceipts",
      value: true,
      request: (head) => ({ method: "eth_getBlockReceipts", params: [at(head, 0)] }),
    },
  ];
}

const isAnswered = (
  { isAnswer = (result) => result !== null }: Question,
  answer: RpcAnswer | undefined,
): boolean => answer?.kind === "result" && isAnswer(answer.result);

/** A backend that lags may answer null, and an error that nobody knows may have any cause. */
function isDoubtful(answer: RpcAnswer | undefined): boolean {
  if (answer?.kind === "result") return answer.result === null;
  return answer?.kind === "error" && classifyNodeError(answer.error) === "unclear";
}

/** Whether the node may answer another time. */
function isOpen(answer: RpcAnswer | undefined): boolean {
  if (answer === undefined) return true;
  // A page in place of an answer says nothing about the node.
  if (answer.kind === "no_response")
    return isPassingReason(answer.reason) || answer.reason.startsWith("http_");
  return (
    answer.kind === "error" &&
    ["gateway", "rate_limited", "unknown_block"].includes(classifyNodeError(answer.error))
  );
}
