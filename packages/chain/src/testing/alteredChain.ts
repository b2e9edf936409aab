import type { Reading } from "@assay/protocol";
import type { BlockHeader, Chain, ChainRead } from "../types.js";

/** What a read answers instead; undefined leaves the honest answer. */
export type Change = (
  read: ChainRead,
  honest: Reading<unknown>,
  block: BlockHeader,
) => Reading<unknown> | undefined;

/** A chain in front of the real one that changes what some reads answer. */
export function alteredChain(chain: Chain, change: Change): Chain {
  const readAt: Chain["readAt"] = async (block, reads) => {
    const readings = await chain.readAt(block, reads);
    return reads.map((read, index) => {
      const honest = readings[index] as Reading<unknown>;
      return change(read, honest, block) ?? honest;
    }) as unknown as typeof readings;
  };
  return { ...chain, readAt };
}
