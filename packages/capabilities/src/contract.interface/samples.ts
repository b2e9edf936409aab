import { type LocalChainFacts, listContractSamples, type Sample } from "../localChain.js";

export function listSamples(facts: LocalChainFacts): Sample[] {
  return listContractSamples(facts, "erc721", "erc1155", "plainToken");
}
