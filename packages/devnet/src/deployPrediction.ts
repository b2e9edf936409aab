import { type Address, encodePacked, type Hex, keccak256, stringToHex } from "viem";
import { canonicalAddresses } from "./canonicalAddresses.js";
import type { Deployer, Installation } from "./createDeployer.js";
import { loadSample } from "./deploySamples.js";
import { loadArtifact } from "./loadArtifact.js";

/** The question of the sample market. */
export const predictionQuestion = "Will the lamp of Skerry Point be dark on the night of 31 December 2026?";

/** The question with the rules for its resolution. */
export const predictionText = `q: title: ${predictionQuestion}, description: This market resolves by the harbour master's log, as published by the harbour office. It is decided by whoever proposes an answer that nobody disputes.`;

/** A sample of UMA's optimistic oracle, at the address that UMA's has on Base. */
export function listProcedures(): Installation[] {
  return [{ address: canonicalAddresses.optimisticOracle, artifact: loadSample("SampleOptimisticOracle") }];
}

/** Queues the published conditional tokens and one market on them, decided by proposal and dispute. */
export function deployPrediction(deployer: Deployer) {
  const conditionalTokens = deployer.deploy(
    loadArtifact("@gnosis.pm/conditional-tokens-contracts/build/contracts/ConditionalTokens.json"),
  );
  const adapter = loadSample("SampleAdapter");
  const predictionAdapter = deployer.deploy(adapter, [
    conditionalTokens,
    canonicalAddresses.optimisticOracle,
  ]);
  const text = stringToHex(predictionText);
  deployer.send(predictionAdapter, adapter.abi, "initialize", [text]);
  const questionId = keccak256(text);
  const predictionMarket = deployer.deploy(loadSample("SamplePredictionMarket"), [
    conditionalTokens,
    canonicalAddresses.stablecoin,
    [conditionIdOf(predictionAdapter, questionId, 2n)],
    predictionAdapter,
    questionId,
  ]);
  return { conditionalTokens, predictionAdapter, predictionMarket };
}

/** The condition id as the conditional-token contracts compute it. */
function conditionIdOf(oracle: Address, questionId: Hex, outcomeSlotCount: bigint): Hex {
  return keccak256(encodePacked(["address", "bytes32", "uint256"], [oracle, questionId, outcomeSlotCount]));
}
