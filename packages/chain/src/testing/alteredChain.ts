import type { Reading } from "@assay/protocol";
import type { BlockHeader, Chain, ChainRead } from "../types.js";

/** The reading to return instead of the honest one; undefined keeps the honest one. */
export type Change = (
  read: ChainRead,
  honest: Reading<unknown>,
  block: BlockHeader,
) => Reading<unknown> | undefined;

/** A chain in front of the real one that changes some readings. */
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
