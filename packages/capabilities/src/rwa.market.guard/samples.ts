import { getContract, type LocalChainFacts, type Sample } from "../localChain.js";

export function listSamples(facts: LocalChainFacts): Sample[] {
  return [
    {
      name: "permissionedToken",
      input: { address: getContract(facts, "permissionedToken"), symbol: "STF" },
    },
    { name: "plainToken", input: { address: getContract(facts, "plainToken") } },
  ];
}
