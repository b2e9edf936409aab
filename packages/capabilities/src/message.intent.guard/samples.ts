import type { LocalChainFacts, Sample } from "../localChain.js";

export function listSamples(_: LocalChainFacts): Sample[] {
  return [];
}
