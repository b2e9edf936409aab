import { getContract, type LocalChainFacts, type Sample } from "../localChain.js";

export function listSamples(facts: LocalChainFacts): Sample[] {
  const market = getContract(facts, "predictionMarket");
  return [
    { name: "The lamp", input: { question: facts.predictionQuestion, market } },
    { name: "Another question", input: { question: "Will it rain on Skerry Point?", market } },
  ];
}
