import { classifyNodeError } from "./classifyNodeError.js";
import { describeForm } from "./refusals.js";
import { noResponse, type RpcAnswer, type RpcRequest } from "./rpcAnswer.js";

/** What a node has answered before, which tells what a failure means that says nothing by itself. */
export interface Experience {
  /** The same answers; a failure that is no property of the node is one that passes. */
  read(requests: readonly RpcRequest[], answers: readonly RpcAnswer[]): RpcAnswer[];
}

/** What a node did this long ago, it can. */
const REMEMBERED_MS = 60 * 60_000;
/** So often in a row a node refuses what it has answered before, until it is believed: one of its backends may offer less. */
const REFUSALS_TO_BELIEVE = 3;
/** Failures of several methods in this time have one cause. */
const SAME_TIME_MS = 2_000;
/** Words that have passed within this time pass again. */
const WORDS_REMEMBERED_MS = 60_000;
/** Nothing that a caller chooses makes a node fail at these. */
const PLAIN_METHODS: ReadonlySet<string> = new Set([
  "eth_chainId",
  "eth_blockNumber",
  "eth_getBlockByNumber",
  "eth_getBlockByHash",
  "eth_getCode",
  "eth_getBalance",
  "eth_getTransactionCount",
  "eth_getStorageAt",
]);
/** A gateway refuses or redirects the whole request; the node was not asked. */
const REFUSED_REQUEST = /^http_[34]\d\d$/;
const PASSING: RpcAnswer = noResponse("gateway_error");

export function createExperience(now: () => number = () => performance.now()): Experience {
  const answered = new Map<string, number>();
  const refusals = new Map<string, number>();
  /** Since when which methods have failed with the same words. */
  const failing = new Map<string, { atMs: number; methods: Set<string> }>();
  /** With which words each plain question failed last. */
  const lastWords = new Map<string, string>();
  /** When a plain question that had failed with these words was answered again. */
  const passed = new Map<string, number>();

  const hasAnswered = (form: string) =>
    now() - (answered.get(form) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS;

  function noteFailure(words: string, method: string): void {
    const known = failing.get(words);
    if (known && now() - known.atMs < SAME_TIME_MS) known.methods.add(method);
    else failing.set(words, { atMs: now(), methods: new Set([method]) });
    for (const [old, { atMs }] of failing) if (now() - atMs >= SAME_TIME_MS) failing.delete(old);
  }

  function noteRecovery(form: string): void {
    const words = lastWords.get(form);
    if (words === undefined) return;
    lastWords.delete(form);
    for (const [old, atMs] of passed) if (now() - atMs >= WORDS_REMEMBERED_MS) passed.delete(old);
    passed.set(words, now());
  }

  const arePassing = (words: string) =>
    (failing.get(words)?.methods.size ?? 0) > 1 ||
    now() - (passed.get(words) ?? Number.NEGATIVE_INFINITY) < WORDS_REMEMBERED_MS;

  function isPassing(answer: RpcAnswer, form: string): boolean {
    if (answer.kind === "result" || !hasAnswered(form)) return false;
    if (answer.kind === "no_response") return REFUSED_REQUEST.test(answer.reason);
    switch (classifyNodeError(answer.error)) {
      case "unsupported":
        return answer.ofBatch !== true && (refusals.get(form) ?? 0) < REFUSALS_TO_BELIEVE;
      case "unclear":
        return arePassing(answer.error.message);
      default:
        return false;
    }
  }

  return {
    read(requests, answers) {
      const forms = requests.map(describeForm);
      const refused = new Set<string>();
      for (const [i, answer] of answers.entries()) {
        const [form = "", method = ""] = [forms[i], requests[i]?.method];
        const kind = answer.kind === "error" ? classifyNodeError(answer.error) : undefined;
        if (answer.kind === "result" ? answer.result !== null : kind === "evm_failure") {
          answered.set(form, now());
          refusals.delete(form);
          noteRecovery(form);
        }
        if (kind === "unsupported") refused.add(form);
        if (kind === "unclear" && answer.kind === "error" && PLAIN_METHODS.has(method) && hasAnswered(form)) {
          noteFailure(answer.error.message, method);
          lastWords.set(form, answer.error.message);
        }
      }
      for (const form of refused) refusals.set(form, (refusals.get(form) ?? 0) + 1);
      return answers.map((answer, i) => (isPassing(answer, forms[i] ?? "") ? PASSING : answer));
    },
  };
}
