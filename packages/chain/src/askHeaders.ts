import { toNodeFailure } from "./askReadings.js";
import { parseBlockHeader } from "./parseBlockHeader.js";
import type { RpcAnswer } from "./rpcAnswer.js";
import type { RpcNode } from "./rpcNode.js";
import { type Attempt, type FailedAttempt, toFailedAttempt } from "./rpcPool.js";
import type { BlockHeader } from "./types.js";

export interface SeenHeader {
  readonly header: BlockHeader;
  /** What the node sent, with the fields that `header` leaves out. */
  readonly answer: unknown;
  /** Label of the node that gave it. */
  readonly from: string;
}

/** A number above the head is no lag, so nobody is asked again. */
const UNKNOWN_BLOCK: FailedAttempt = { ok: false, reason: "unknown_block", next: "elsewhere" };

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
    const failure = toNodeFailure(answer.error);
    return failure.reason === UNKNOWN_BLOCK.reason ? UNKNOWN_BLOCK : failure;
  }
  if (answer.result === null) return UNKNOWN_BLOCK;
  const header = parseBlockHeader(answer.result);
  return header === undefined
    ? { ok: false, reason: "malformed_answer", next: "retry" }
    : { ok: true, value: { header, answer: answer.result, from } };
}
