import type { Sample } from "../localChain.js";

/** None: the question names an answer that was bought before, and a new chain has none. */
export function listSamples(): Sample[] {
  return [];
}
