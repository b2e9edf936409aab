import type { Hex } from "@assay/protocol";
import type { RpcNode } from "./rpcNode.js";
import type { Attempt, RpcPool } from "./rpcPool.js";
import type { SendAnswer } from "./types.js";

/** A node that takes a transaction says so soon. Waiting longer only delays sending it elsewhere. */
const SEND_TIMEOUT_MS = 1_500;

/**
 * Hands a signed transaction to the preferred node, and to the next ones as long as it certainly was not delivered; or to every
 * node at once. An answer of each node that it was delivered to: none means that no node has it. Never throws.
 */
export async function sendTransaction(
  pool: RpcPool,
  raw: Hex,
  toEach: boolean,
): Promise<readonly SendAnswer[]> {
  const request = { method: "eth_sendRawTransaction", params: [raw] };
  const ask = async (node: RpcNode, items: readonly (typeof request)[], timeoutMs: number) =>
    (await node.send(items, { timeoutMs: Math.min(timeoutMs, SEND_TIMEOUT_MS) })).map(
      (answer): Attempt<SendAnswer> => {
        if (answer.kind === "result") return { ok: true, value: { status: "accepted" } };
        if (answer.kind === "error") return { ok: true, value: { status: "error", error: answer.error } };
        const { reason, delivered } = answer;
        if (delivered) return { ok: true, value: { status: "silent", reason } };
        return { ok: false, reason, next: "elsewhere" };
      },
    );
  if (toEach) return pool.askEach(request, ask);
  const [attempt] = await pool.resolve([request], ask);
  return attempt?.ok ? [attempt.value] : [];
}
