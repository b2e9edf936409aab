export * from "./contractGuardReadings.js";
export * from "./evaluateChainSnapshot.js";
export * from "./evaluateContractGuard.js";
export * from "./evaluation.js";
export * from "./fingerprintBytecode.js";
export * from "./knownSlots.js";
export * from "./resolveImplementation.js";
