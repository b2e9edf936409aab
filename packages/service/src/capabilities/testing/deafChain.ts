import type { Chain, ChainRead } from "../../chain/types.js";

/** A chain in front of the real one that gets no answer to some reads. */
export function deafChain(chain: Chain, matches: (read: ChainRead) => boolean): Chain {
  const readAt: Chain["readAt"] = async (block, reads) => {
    const readings = await chain.readAt(block, reads);
    return reads.map((read, index) =>
      matches(read) ? { status: "unanswered", reason: "timeout" } : readings[index],
    ) as unknown as typeof readings;
  };
  return { ...chain, readAt };
}
