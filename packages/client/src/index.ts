export {
  type CapabilityFindings,
  type CapabilityHighlights,
  type CapabilityId,
  type CapabilityInput,
  type CapabilityReadings,
  type Change,
  capabilities,
  type DecodedCall,
  type DecodedCalldata,
  decodeCalls,
  findCapability,
  findCapabilityByAnyName,
  getCapability,
  highestPrice,
  type Line,
  type ListedCapability,
  loadNews,
  MAX_DATA_CHARACTERS,
  type News,
  type Section,
  summarizeAnswer,
  type WeighedReason,
} from "@assay/capabilities";
export { BASE_USDC } from "@assay/protocol";
export { AssayClientError } from "./assayClientError.js";
export type { CapabilityArguments } from "./capabilityArguments.js";
export type { ChainSource } from "./chain/askNode.js";
export type { ChannelOptions, ChannelStatus } from "./channel/channelContext.js";
export { ChannelDisputeError } from "./channel/channelDisputeError.js";
export { type ChannelRecord, type ChannelStore, readChannelRecord } from "./channel/channelRecord.js";
export type { ClosedChannel } from "./channel/closeChannel.js";
export {
  type ClaimRecordOptions,
  checkClaimRecord,
  type RecomputationStep,
  type RecomputationStepName,
} from "./checkClaimRecord.js";
export * from "./checkDeployment.js";
export * from "./checkEvidence.js";
export * from "./checkLogHead.js";
export * from "./checkReceipt.js";
export * from "./checkResult.js";
export * from "./computeFingerprint.js";
export { confirmAnswer } from "./confirmAnswer.js";
export type { RequestOptions } from "./connect.js";
export type { Claims, ClaimTerms, OpenClaimOptions, OpenedClaim, PreparedClaim } from "./createClaims.js";
export * from "./createClient.js";
export type { BountiesOptions, ListOptions, Market } from "./createMarket.js";
export type { EvidenceOptions, Records } from "./createRecords.js";
export * from "./errors.js";
export { type FollowedKeys, type FollowSigner, followKeys } from "./followKeys.js";
export * from "./guardedSend.js";
export * from "./guardedSign.js";
export {
  guardProvider,
  type ProviderRefusal,
  type ProviderRefusedError,
  type WalletProvider,
} from "./guardProvider.js";
export { type GuardRefusal, GuardRefusedError } from "./guardRefusedError.js";
export { InvalidArgumentError } from "./invalidArgumentError.js";
export { type Judgement, type JudgePolicy, judge } from "./judge.js";
export { CLOCK_ALLOWANCE_MS, latestEndMs } from "./latestEndMs.js";
export { listUncovered } from "./listUncovered.js";
export { type FindSentence, loadSentences } from "./loadSentences.js";
export type * from "./paidAnswer.js";
export type { AnyPreparedPayment, PreparedPayment, SentVoucher } from "./preparedPayment.js";
export { DEFAULT_MAX_PRICE_USD } from "./readLimit.js";
export type { Settlement } from "./readSettlement.js";
export { recognize } from "./recognize/recognize.js";
export type { PasteContext, PastedKind, PossibleQuestion, Recognized } from "./recognize/recognized.js";
export * from "./recomputeClaim.js";
export { loadEveryRule } from "./reevaluate.js";
export { type AllowPolicy, requireAllow } from "./requireAllow.js";
export { type Scan, type ScanOptions, scanClaim } from "./scanClaim.js";
export type { SendOptions } from "./sendPayment.js";
export * from "./signAction.js";
export type {
  GuardOf,
  MessageGuard,
  MessageQuestion,
  SignedMessage,
  SigningGuard,
  SigningQuestion,
  TransactionGuard,
  TransactionQuestion,
} from "./signingQuestion.js";
export type { PayerAccount } from "./signPayment.js";
export { createSendTool, type SendTool, type SendToolAnswer } from "./tools/createSendTool.js";
export { describeForModel } from "./tools/describeForModel.js";
export {
  type AssayTool,
  listTools,
  type ToolAnswer,
  type ToolInputSchema,
  type ToolsOptions,
} from "./tools/listTools.js";
export type { StepName, Verification, VerificationStep } from "./verification.js";
export { VerificationError } from "./verificationError.js";
export { verifyClaimRecord } from "./verifyClaimRecord.js";
export { verifyEvidence } from "./verifyEvidence.js";
export { verifyReceipt } from "./verifyReceipt.js";
export { verifyResult } from "./verifyResult.js";
export type { Wallet, WalletAccount } from "./wallet.js";
export type { WindowState } from "./watchResult.js";
