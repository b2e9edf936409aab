export * from "./capabilities.js";
export * from "./defineCapability.js";
export * from "./defineRule.js";
export { isArtifactLive } from "./evidence.artifact/readings.js";
export type * from "./gathering.js";
export type { ObligationVerdictReadings } from "./obligation.verdict/readings.js";
export * from "./obligation.verdict/upgradeEvents.js";
export * from "./proposedCapabilities.js";
export type * from "./records.js";
export * from "./rwa.market.guard/listedAsset.js";
export * from "./shared/claims/judgeChallenge.js";
export * from "./shared/claims/resolveAtBlock.js";
export * from "./shared/code/fingerprintBytecode.js";
export { SELECTOR_SCANNER } from "./shared/code/selectorScan.js";
export * from "./shared/inputs/fields.js";
export * from "./shared/proxies/knownSlots.js";
export {
  type ObservedFields,
  observedFieldsSchema,
  type RecordedObservation,
} from "./shared/proxies/observedReadings.js";
export * from "./shared/proxies/resolveImplementation.js";
export * from "./shared/swaps/launchVenues.js";
export * from "./shared/swaps/swapRouters.js";
export * from "./shared/verdict/evaluation.js";
export * from "./shared/verdict/provableFact.js";
export * from "./shared/verdict/reasons.js";
export * from "./transaction.intent.guard/decodeCalls.js";
