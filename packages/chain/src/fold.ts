import { classifyNodeError, type NodeErrorKind } from "./classifyNodeError.js";
import type { RpcAnswer, RpcRequest } from "./rpcAnswer.js";

/** One request that answers several. */
export interface Fold {
  /** Places of those that it answers. */
  readonly places: readonly number[];
  readonly request: RpcRequest;
  /** An answer for each of them; undefined for one that must be asked by itself. */
  open(answer: RpcAnswer): readonly (RpcAnswer | undefined)[];
}

/** Finds what can be folded. It may remember of the node what did not work. */
export type Folder = (requests: readonly RpcRequest[]) => Fold[];

/** The errors that would have met every request by itself as well. */
export const OF_EACH_REQUEST: ReadonlySet<NodeErrorKind> = new Set([
  "rate_limited",
  "gateway",
  "unknown_block",
  "state_pruned",
]);

/** Nodes change; one that does not take overrides is tried again after an hour. */
const REFUSED_MS = 60 * 60_000;
const REFUSALS: ReadonlySet<NodeErrorKind> = new Set(["unsupported", "bad_params"]);

/** Whether one node takes the state overrides that folds are made with. */
export interface Overriding {
  isRefused(): boolean;
  /** What the answer to a fold says about each of `count` requests. `read` is undefined for a result that is none of the fold's. */
  open(
    answer: RpcAnswer,
    count: number,
    read: (result: unknown, count: number) => readonly (RpcAnswer | undefined)[] | undefined,
  ): readonly (RpcAnswer | undefined)[];
}

export function createOverriding(now: () => number = () => performance.now()): Overriding {
  let refusedUntilMs = Number.NEGATIVE_INFINITY;
  const refuse = () => {
    refusedUntilMs = now() + REFUSED_MS;
  };
  return {
    isRefused: () => now() < refusedUntilMs,
    open(answer, count, read) {
      const none = Array.from({ length: count }, () => undefined);
      if (answer.kind === "no_response") return none.map(() => answer);
      if (answer.kind === "error") {
        const kind = classifyNodeError(answer.error);
        if (REFUSALS.has(kind)) refuse();
        return OF_EACH_REQUEST.has(kind) ? none.map(() => answer) : none;
      }
      const answers = read(answer.result, count);
      // Some nodes ignore overrides.
      if (answers === undefined && answer.result !== null) refuse();
      return answers ?? none;
    },
  };
}

/** The places of requests that have the same key; without a key a request is in no group. */
export function groupPlaces(
  requests: readonly RpcRequest[],
  keyOf: (request: RpcRequest, place: number) => string | undefined,
): { key: string; places: number[] }[] {
  const groups = new Map<string, number[]>();
  for (const [i, request] of requests.entries()) {
    const key = keyOf(request, i);
    if (key === undefined) continue;
    const places = groups.get(key);
    if (places) places.push(i);
    else groups.set(key, [i]);
  }
  return [...groups].map(([key, places]) => ({ key, places }));
}
