import { type LocalChainFacts, listContractSamples, type Sample } from "../localChain.js";

export function listSamples(facts: LocalChainFacts): Sample[] {
  return listContractSamples(facts, "upgradeableProxy", "plainToken", "pausableToken", "beaconProxy");
}
