import { classifyNodeError } from "./classifyNodeError.js";
import type { ErrorAnswer, RpcAnswer, RpcRequest } from "./rpcAnswer.js";

/** The methods that one node does not offer. */
export interface Refusals {
  find(request: RpcRequest): ErrorAnswer | undefined;
  note(request: RpcRequest, answer: RpcAnswer | undefined): void;
  clear(): void;
}

// Plans and configurations change; the node is also asked again when it is probed.
const REMEMBERED_MS = 60 * 60_000;

/** What a node refuses once, it is not asked for again for a while: each refusal may cost money, and always costs time. */
export function createRefusals(now: () => number = () => performance.now()): Refusals {
  const refused = new Map<string, { answer: ErrorAnswer; untilMs: number }>();
  return {
    find(request) {
      const found = refused.get(describeForm(request));
      return found !== undefined && now() < found.untilMs ? found.answer : undefined;
    },
    note(request, answer) {
      if (answer?.kind !== "error" || answer.ofBatch === true) return;
      if (classifyNodeError(answer.error) === "unsupported")
        refused.set(describeForm(request), { answer, untilMs: now() + REMEMBERED_MS });
    },
    clear: () => refused.clear(),
  };
}

/** A node may offer calls without overrides, one tracer and not another, the newest proof by number and not by hash. */
export function describeForm({ method, params }: RpcRequest): string {
  const [, at, options] = params as readonly unknown[];
  const variant =
    typeof options === "object" && options !== null && "tracer" in options ? options.tracer : "";
  return `${method} ${params.length} ${typeof at} ${String(variant)}`;
}
