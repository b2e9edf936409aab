import type { CapabilityId } from "@assay/protocol";
import type {
  ChainSnapshotReadings,
  ContractChangeReadings,
  ContractGuardReadings,
  ContractInterfaceReadings,
  EvidenceArtifactReadings,
  HookGuardReadings,
  LendingCollateralReadings,
  ObligationVerdictReadings,
  PredictionEvidenceReadings,
  RwaMarketReadings,
  SwapGuardReadings,
  TokenLaunchReadings,
  TokenMetadataReadings,
  TradeExecutionReadings,
  TransactionIntentReadings,
  WebCompileReadings,
} from "@assay/rules";

/**
 * What each capability reads, as `result.evidence.readings` records it. Types alone: that an answer is so is for
 * `verifyResult` to say.
 */
export interface CapabilityReadings extends Record<CapabilityId, object> {
  readonly "contract.guard": ContractGuardReadings;
  readonly "transaction.intent.guard": TransactionIntentReadings;
  readonly "amm.swap.guard": SwapGuardReadings;
  readonly "contract.change": ContractChangeReadings;
  readonly "token.metadata": TokenMetadataReadings;
  readonly "contract.interface": ContractInterfaceReadings;
  readonly "chain.snapshot": ChainSnapshotReadings;
  readonly "token.launch.guard": TokenLaunchReadings;
  readonly "evidence.artifact": EvidenceArtifactReadings;
  readonly "web.compile": WebCompileReadings;
  readonly "obligation.verdict": ObligationVerdictReadings;
  readonly "amm.v4.hook.guard": HookGuardReadings;
  readonly "rwa.market.guard": RwaMarketReadings;
  readonly "lending.collateral.guard": LendingCollateralReadings;
  readonly "trade.execution.notarize": TradeExecutionReadings;
  readonly "prediction.evidence": PredictionEvidenceReadings;
}
