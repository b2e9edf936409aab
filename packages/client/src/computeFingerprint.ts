import type { Hex } from "@assay/protocol";
import type { ChainSource } from "./chain/askNode.js";
import { readCode } from "./chain/observeAt.js";
import { openChainNode } from "./chain/openChainNode.js";
import { ChainNodeError } from "./errors.js";

/** What can be published about a contract's code. */
export interface ContractFingerprint {
  readonly address: Hex;
  /** keccak256 of the code; null for an account without code. */
  readonly bytecodeHash: Hex | null;
  readonly bytecodeBytes: number;
  readonly computedAtBlock: number;
}

/** Computes a fingerprint from the publisher's own node, at the newest block unless one is given. */
export async function computeFingerprint(
  source: ChainSource,
  address: Hex,
  block?: number,
): Promise<ContractFingerprint> {
  const node = await openChainNode(source);
  const computedAtBlock = block ?? (await node.getHead());
  const code = await readCode(node, address, computedAtBlock);
  if ("status" in code)
    throw new ChainNodeError(`The node did not give the code of ${address} at block ${computedAtBlock}.`, {
      retryable: true,
    });
  return { address, ...code, computedAtBlock };
}
