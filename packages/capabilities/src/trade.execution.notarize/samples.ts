import type { LocalChainFacts, Sample } from "../localChain.js";

export function listSamples({ sampleTrade }: LocalChainFacts): Sample[] {
  return [{ name: "A swap of plain tokens", input: { txHash: sampleTrade } }];
}
