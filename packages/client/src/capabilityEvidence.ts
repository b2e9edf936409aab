import type { CapabilityId } from "@assay/protocol";
import type {
  Evaluation,
  evaluateChainSnapshot,
  evaluateContractChange,
  evaluateContractGuard,
  evaluateContractInterface,
  evaluateEvidenceArtifact,
  evaluateHookGuard,
  evaluateLendingCollateral,
  evaluateObligationVerdict,
  evaluatePredictionEvidence,
  evaluateRwaMarket,
  evaluateSwapGuard,
  evaluateTokenLaunch,
  evaluateTokenMetadata,
  evaluateTradeExecution,
  evaluateTransactionIntent,
  evaluateWebCompile,
} from "@assay/rules";

/** The rule behind each capability, whose types are those of what it takes and concludes. */
interface CapabilityRules extends Record<CapabilityId, (input: never, readings: never) => Evaluation> {
  readonly "contract.guard": typeof evaluateContractGuard;
  readonly "transaction.intent.guard": typeof evaluateTransactionIntent;
  readonly "amm.swap.guard": typeof evaluateSwapGuard;
  readonly "contract.change": typeof evaluateContractChange;
  readonly "token.metadata": typeof evaluateTokenMetadata;
  readonly "contract.interface": typeof evaluateContractInterface;
  readonly "chain.snapshot": typeof evaluateChainSnapshot;
  readonly "token.launch.guard": typeof evaluateTokenLaunch;
  readonly "evidence.artifact": typeof evaluateEvidenceArtifact;
  readonly "web.compile": typeof evaluateWebCompile;
  readonly "obligation.verdict": typeof evaluateObligationVerdict;
  readonly "amm.v4.hook.guard": typeof evaluateHookGuard;
  readonly "rwa.market.guard": typeof evaluateRwaMarket;
  readonly "lending.collateral.guard": typeof evaluateLendingCollateral;
  readonly "trade.execution.notarize": typeof evaluateTradeExecution;
  readonly "prediction.evidence": typeof evaluatePredictionEvidence;
}

/**
 * What each capability read, as `result.evidence.readings` records it. Types alone: that an answer is so is for
 * `verifyResult` to say.
 */
export type CapabilityReadings = {
  readonly [Id in CapabilityId]: Parameters<CapabilityRules[Id]>[1];
};

/** What the rule makes of that, as `result.evidence.findings` has it. */
export type CapabilityFindings = {
  readonly [Id in CapabilityId]: ReturnType<CapabilityRules[Id]>["findings"];
};

/** What a caller must not miss, which stands in `result.evidence` itself. */
export type CapabilityHighlights = {
  readonly [Id in CapabilityId]: ReturnType<CapabilityRules[Id]> extends { readonly evidence: infer Told }
    ? Told
    : unknown;
};
