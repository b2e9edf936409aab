import { type CapabilityId, type CapabilityInput, capabilityInputs } from "@assay/protocol";
import {
  chainSnapshotReadingsSchema,
  chainSnapshotRule,
  contractChangeReadingsSchema,
  contractChangeRule,
  contractGuardReadingsSchema,
  contractGuardRule,
  contractInterfaceReadingsSchema,
  contractInterfaceRule,
  type Evaluation,
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
  evidenceArtifactReadingsSchema,
  evidenceArtifactRule,
  hookGuardReadingsSchema,
  hookGuardRule,
  lendingCollateralReadingsSchema,
  lendingCollateralRule,
  listContractChangeFacts,
  listContractGuardFacts,
  listContractInterfaceFacts,
  listHookGuardFacts,
  listLendingCollateralFacts,
  listPredictionEvidenceFacts,
  listRwaMarketFacts,
  listSwapGuardFacts,
  listTokenLaunchFacts,
  listTokenMetadataFacts,
  listTransactionIntentFacts,
  obligationVerdictReadingsSchema,
  obligationVerdictRule,
  type ProvableAccount,
  predictionEvidenceReadingsSchema,
  predictionEvidenceRule,
  rwaMarketReadingsSchema,
  rwaMarketRule,
  swapGuardReadingsSchema,
  swapGuardRule,
  tokenLaunchReadingsSchema,
  tokenLaunchRule,
  tokenMetadataReadingsSchema,
  tokenMetadataRule,
  tradeExecutionReadingsSchema,
  tradeExecutionRule,
  transactionIntentReadingsSchema,
  transactionIntentRule,
  webCompileReadingsSchema,
  webCompileRule,
} from "@assay/rules";

/** What follows from a recorded input and recorded readings by one rule. */
export interface Reevaluation {
  readonly evaluation: Evaluation;
  /** What a proof of the block's state must show for the readings to be true. */
  readonly facts: readonly ProvableAccount[];
}

/** Parses what is recorded, then judges it as the service did. Throws when it is not what the rule judges. */
type Reevaluate = (input: unknown, readings: unknown) => Reevaluation;

interface RuleParts<Id extends CapabilityId, Readings> {
  readonly rule: { readonly id: Id; readonly version: string };
  readonly readings: { parse(value: unknown): Readings };
  evaluate(input: CapabilityInput<Id>, readings: Readings): Evaluation;
  listFacts(input: CapabilityInput<Id>, readings: Readings): readonly ProvableAccount[];
}

function assemble<Id extends CapabilityId, Readings>(
  parts: RuleParts<Id, Readings>,
): readonly [string, Reevaluate] {
  const { rule, evaluate, listFacts } = parts;
  return [
    keyOf(rule),
    (givenInput, givenReadings) => {
      const input = capabilityInputs[rule.id].parse(givenInput) as CapabilityInput<Id>;
      const readings = parts.readings.parse(givenReadings);
      return { evaluation: evaluate(input, readings), facts: listFacts(input, readings) };
    },
  ];
}

const rules: ReadonlyMap<string, Reevaluate> = new Map([
  assemble({
    rule: contractGuardRule,
    readings: contractGuardReadingsSchema,
    evaluate: evaluateContractGuard,
    listFacts: listContractGuardFacts,
  }),
  assemble({
    rule: contractChangeRule,
    readings: contractChangeReadingsSchema,
    evaluate: evaluateContractChange,
    listFacts: listContractChangeFacts,
  }),
  assemble({
    rule: chainSnapshotRule,
    readings: chainSnapshotReadingsSchema,
    evaluate: evaluateChainSnapshot,
    listFacts: () => [],
  }),
  assemble({
    rule: evidenceArtifactRule,
    readings: evidenceArtifactReadingsSchema,
    evaluate: evaluateEvidenceArtifact,
    listFacts: () => [],
  }),
  assemble({
    rule: obligationVerdictRule,
    readings: obligationVerdictReadingsSchema,
    evaluate: evaluateObligationVerdict,
    listFacts: () => [],
  }),
  assemble({
    rule: tokenMetadataRule,
    readings: tokenMetadataReadingsSchema,
    evaluate: evaluateTokenMetadata,
    listFacts: listTokenMetadataFacts,
  }),
  assemble({
    rule: tokenLaunchRule,
    readings: tokenLaunchReadingsSchema,
    evaluate: evaluateTokenLaunch,
    listFacts: listTokenLaunchFacts,
  }),
  assemble({
    rule: rwaMarketRule,
    readings: rwaMarketReadingsSchema,
    evaluate: evaluateRwaMarket,
    listFacts: listRwaMarketFacts,
  }),
  assemble({
    rule: contractInterfaceRule,
    readings: contractInterfaceReadingsSchema,
    evaluate: evaluateContractInterface,
    listFacts: listContractInterfaceFacts,
  }),
  assemble({
    rule: swapGuardRule,
    readings: swapGuardReadingsSchema,
    evaluate: evaluateSwapGuard,
    listFacts: listSwapGuardFacts,
  }),
  assemble({
    rule: hookGuardRule,
    readings: hookGuardReadingsSchema,
    evaluate: evaluateHookGuard,
    listFacts: listHookGuardFacts,
  }),
  assemble({
    rule: transactionIntentRule,
    readings: transactionIntentReadingsSchema,
    evaluate: evaluateTransactionIntent,
    listFacts: listTransactionIntentFacts,
  }),
  assemble({
    rule: lendingCollateralRule,
    readings: lendingCollateralReadingsSchema,
    evaluate: evaluateLendingCollateral,
    listFacts: listLendingCollateralFacts,
  }),
  assemble({
    rule: tradeExecutionRule,
    readings: tradeExecutionReadingsSchema,
    evaluate: evaluateTradeExecution,
    listFacts: () => [],
  }),
  assemble({
    rule: webCompileRule,
    readings: webCompileReadingsSchema,
    evaluate: evaluateWebCompile,
    listFacts: () => [],
  }),
  assemble({
    rule: predictionEvidenceRule,
    readings: predictionEvidenceReadingsSchema,
    evaluate: evaluatePredictionEvidence,
    listFacts: listPredictionEvidenceFacts,
  }),
]);

function keyOf({ id, version }: { readonly id: string; readonly version: string }): string {
  return `${id}@${version}`;
}

/** The rule of exactly this version, if this client knows it. */
export function findReevaluation(rule: {
  readonly id: string;
  readonly version: string;
}): Reevaluate | undefined {
  return rules.get(keyOf(rule));
}
