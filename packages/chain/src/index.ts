export * from "./circuitBreaker.js";
export * from "./createChain.js";
export * from "./parseBlockHeader.js";
export * from "./rpcError.js";
export * from "./types.js";
export * from "./wrongChainError.js";
