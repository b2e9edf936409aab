import type { CapabilityResult } from "@assay/protocol";
import type { ChainNode } from "./chain/openChainNode.js";
import { GuardRefusedError } from "./guardRefusedError.js";
import { sleep } from "./sleep.js";

/** Nodes behind one address are a block or two apart. */
const CATCH_UP_MS = 4_000;
const CATCH_UP_STEP_MS = 500;

/** Confirms by a node of the caller's, and not by the service, that the judged block exists and that the answer still holds. */
export async function confirmAnswer(
  node: ChainNode,
  answer: CapabilityResult,
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
      `It was judged at block ${computedAtBlock}, ${answer.evidenceReference.blockHash}; the wallet's node has ${hash ?? "no such block"}.`,
    );
  const head = await node.getHead();
  if (head > validUntilBlock)
    throw new GuardRefusedError(
      "expired",
      answer,
      `It held until block ${validUntilBlock}; the chain is at ${head}.`,
    );
}
