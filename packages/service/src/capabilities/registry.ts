import type { CapabilityId } from "@assay/protocol";
import { swapGuard } from "./amm.swap.guard/definition.js";
import { hookGuard } from "./amm.v4.hook.guard/definition.js";
import { chainSnapshot } from "./chain.snapshot/definition.js";
import { contractChange } from "./contract.change/definition.js";
import { contractGuard } from "./contract.guard/definition.js";
import { contractInterface } from "./contract.interface/definition.js";
import { evidenceArtifact } from "./evidence.artifact/definition.js";
import { lendingCollateralGuard } from "./lending.collateral.guard/definition.js";
import { obligationVerdict } from "./obligation.verdict/definition.js";
import { predictionEvidence } from "./prediction.evidence/definition.js";
import { rwaMarketGuard } from "./rwa.market.guard/definition.js";
import { tokenLaunchGuard } from "./token.launch.guard/definition.js";
import { tokenMetadata } from "./token.metadata/definition.js";
import { tradeExecutionNotarize } from "./trade.execution.notarize/definition.js";
import { transactionIntentGuard } from "./transaction.intent.guard/definition.js";
import type { Capability } from "./types.js";
import { webCompile } from "./web.compile/definition.js";

/**
 * Each capability parses only its own input and judges only readings it gathered, so callers that
 * look one up by id may treat them alike.
 */
const alike = <Id extends CapabilityId, Readings>(capability: Capability<Id, Readings>): Capability =>
  capability as unknown as Capability;

/** The capabilities that are implemented, by id. */
export const capabilities: ReadonlyMap<string, Capability> = new Map(
  [
    alike(contractGuard),
    alike(contractChange),
    alike(contractInterface),
    alike(chainSnapshot),
    alike(tokenMetadata),
    alike(tokenLaunchGuard),
    alike(evidenceArtifact),
    alike(obligationVerdict),
    alike(transactionIntentGuard),
    alike(swapGuard),
    alike(hookGuard),
    alike(tradeExecutionNotarize),
    alike(webCompile),
    alike(predictionEvidence),
    alike(rwaMarketGuard),
    alike(lendingCollateralGuard),
  ].map((capability) => [capability.spec.id, capability]),
);

export function findCapability(id: string): Capability | undefined {
  return capabilities.get(id);
}
