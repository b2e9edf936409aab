import type { CapabilityResult } from "@assay/protocol";
import type { ChainSource } from "./chain/askNode.js";
import { type ChainNode, openChainNode } from "./chain/openChainNode.js";
import type { RequestOptions } from "./connect.js";
import { GuardRefusedError } from "./guardRefusedError.js";
import { latestEndMs } from "./latestEndMs.js";
import { sleep } from "./sleep.js";

/** Nodes behind one address are a block or two apart. */
const CATCH_UP_MS = 4_000;
const CATCH_UP_STEP_MS = 500;

/**
 * Confirms by a node of the caller's, and not by the service, that the judged block exists and that the answer still holds. Call it
 * right before you act on a verified answer. Throws GuardRefusedError when it does not, and ChainNodeError when the node does not
 * answer or is of another chain.
 *
 * @example
 * const { answer } = await assay.call("contract.guard", { address });
 * await confirmAnswer(answer, "https://node.example");
 */
export async function confirmAnswer(
  answer: CapabilityResult,
  node: ChainSource,
  { signal }: RequestOptions = {},
): Promise<void> {
  signal?.throwIfAborted();
  await confirmAtNode(await openChainNode(node), answer, "answer", signal);
  confirmByClock(answer, "answer");
}

/** What the answer is about, in words. */
type Subject = "transaction" | "message" | "answer";

/** The same by the clock alone, which a caller without a node has. */
export function confirmByClock(answer: CapabilityResult, what: Subject): void {
  if (Date.now() > latestEndMs(answer))
    throw new GuardRefusedError("expired", answer, "Its time has passed.", what);
}

/** The same by a node that is open already. */
export async function confirmAtNode(
  node: ChainNode,
  answer: CapabilityResult,
  what: Subject,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { computedAtBlock, validUntilBlock } = answer.result;
  const giveUpAtMs = Date.now() + CATCH_UP_MS;
  let hash = await node.findBlockHash(computedAtBlock);
  while (hash === undefined && Date.now() < giveUpAtMs) {
    await sleep(CATCH_UP_STEP_MS, signal);
    hash = await node.findBlockHash(computedAtBlock);
  }
  if (hash !== answer.evidenceReference.blockHash)
    throw new GuardRefusedError(
      "unconfirmed",
      answer,
      `It was judged at block ${computedAtBlock}, ${answer.evidenceReference.blockHash}; your node has ${hash ?? "no such block"}.`,
      what,
    );
  const head = await node.getHead();
  if (head > validUntilBlock)
    throw new GuardRefusedError(
      "expired",
      answer,
      `It held until block ${validUntilBlock}; the chain is at ${head}.`,
      what,
    );
}
