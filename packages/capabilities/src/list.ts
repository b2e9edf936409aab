import { ammSwapGuard } from "./amm.swap.guard/capability.js";
import { ammV4HookGuard } from "./amm.v4.hook.guard/capability.js";
import { chainSnapshot } from "./chain.snapshot/capability.js";
import { contractChange } from "./contract.change/capability.js";
import { contractGuard } from "./contract.guard/capability.js";
import { contractInterface } from "./contract.interface/capability.js";
import { evidenceArtifact } from "./evidence.artifact/capability.js";
import { lendingCollateralGuard } from "./lending.collateral.guard/capability.js";
import { messageIntentGuard } from "./message.intent.guard/capability.js";
import { obligationVerdict } from "./obligation.verdict/capability.js";
import { predictionEvidence } from "./prediction.evidence/capability.js";
import { rwaMarketGuard } from "./rwa.market.guard/capability.js";
import { tokenLaunchGuard } from "./token.launch.guard/capability.js";
import { tokenMetadata } from "./token.metadata/capability.js";
import { tradeExecutionNotarize } from "./trade.execution.notarize/capability.js";
import { transactionIntentGuard } from "./transaction.intent.guard/capability.js";
import { webCompile } from "./web.compile/capability.js";

/** Every capability, in catalog order. Adding one is its folder and its line here. */
export const list = [
  contractGuard,
  transactionIntentGuard,
  ammSwapGuard,
  contractChange,
  tokenMetadata,
  contractInterface,
  chainSnapshot,
  tokenLaunchGuard,
  evidenceArtifact,
  webCompile,
  obligationVerdict,
  ammV4HookGuard,
  rwaMarketGuard,
  lendingCollateralGuard,
  tradeExecutionNotarize,
  predictionEvidence,
  messageIntentGuard,
] as const;
