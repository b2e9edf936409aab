import { classifyNodeError } from "./classifyNodeError.js";
import { parseBlockHeader } from "./parseBlockHeader.js";
import type { RpcAnswer } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import { type Attempt, toFailedAttempt } from "./rpcPool.js";
import type { BlockHeader } from "./types.js";

export interface SeenHeader {
  readonly header: BlockHeader;
  /** Label of the node that gave it. */
  readonly from: string;
}

/** Asks one node for headers by tag ("latest", "finalized") or hex number. */
export async function askHeaders(
  node: RpcNode,
  tags: readonly string[],
  timeoutMs: number,
): Promise<Attempt<SeenHeader>[]> {
  const requests = tags.map((tag) => ({ method: "eth_getBlockByNumber", params: [tag, false] }));
  const answers = await node.send(requests, { timeoutMs });
  return answers.map((answer) => readHeader(node.label, answer));
}

function readHeader(from: string, answer: RpcAnswer): Attempt<SeenHeader> {
  if (answer.kind === "no_response") return toFailedAttempt(answer);
  if (answer.kind === "error") {
    const { error } = answer;
    const unknown = classifyNodeError(error) === "unknown_block";
    return { ok: false, reason: unknown ? "unknown_block" : `node_error_${error.code}`, next: "elsewhere" };
  }
  if (answer.result === null) return { ok: false, reason: "unknown_block", next: "elsewhere" };
  const header = parseBlockHeader(answer.result);
  return header === undefined
    ? { ok: false, reason: "malformed_answer", next: "retry" }
    : { ok: true, value: { header, from } };
}
