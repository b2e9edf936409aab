export * from "./capabilities.js";
export * from "./defineCapability.js";
export * from "./defineRule.js";
export { isArtifactLive } from "./evidence.artifact/readings.js";
export * from "./formerRules.js";
export type * from "./gathering.js";
export * from "./highestPrice.js";
export * from "./loadNews.js";
export * from "./obligation.verdict/upgradeEvents.js";
export * from "./proposedCapabilities.js";
export type * from "./records.js";
export * from "./shared/claims/judgeChallenge.js";
export type { RecordedObligation } from "./shared/claims/recordedObligation.js";
export * from "./shared/claims/resolveAtBlock.js";
export * from "./shared/code/fingerprintBytecode.js";
export { SELECTOR_SCANNER } from "./shared/code/selectorScan.js";
export * from "./shared/inputs/fields.js";
export * from "./shared/intents/decodeCalls.js";
export * from "./shared/issuers/listedAsset.js";
export { findLoss, type Loss } from "./shared/news/findLoss.js";
export {
  type ObservedFields,
  observedFieldsSchema,
  type RecordedObservation,
} from "./shared/observations/observedReadings.js";
export * from "./shared/pools/launchVenues.js";
export * from "./shared/proofs/proofNote.js";
export * from "./shared/proofs/provableFact.js";
export * from "./shared/proxies/knownSlots.js";
export * from "./shared/proxies/resolveImplementation.js";
export * from "./shared/summary/boundSeconds.js";
export { clip, estimateTokens, oneLine, quote } from "./shared/summary/modelText.js";
export * from "./shared/summary/summarizeAnswer.js";
export * from "./shared/swaps/swapRouters.js";
export * from "./shared/verdict/evaluation.js";
export * from "./shared/verdict/reasons.js";
export * from "./shared/words/addressInWord.js";
