import type { Chain, ChainRead } from "../types.js";

/** A chain in front of the real one that records the batches it is asked for. */
export function recordReads(chain: Chain): {
  readonly chain: Chain;
  readonly asked: (readonly ChainRead[])[];
} {
  const asked: (readonly ChainRead[])[] = [];
  const readAt: Chain["readAt"] = (block, reads) => {
    asked.push(reads);
    return chain.readAt(block, reads);
  };
  return { chain: { ...chain, readAt }, asked };
}
