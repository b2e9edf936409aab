export { createCircuitBreaker } from "./circuitBreaker.js";
export { createChain } from "./createChain.js";
export { describeLimits } from "./describeNode.js";
export { type LightChain, lightenReads } from "./lightReads.js";
export { parseBlockHeader } from "./parseBlockHeader.js";
export { RpcError } from "./rpcError.js";
export type {
  AgreedRead,
  BlockHeader,
  Caller,
  CallRead,
  CallTrace,
  Chain,
  ChainLog,
  ChainRead,
  Execution,
  MinedTransaction,
  NodeReport,
  ProofRead,
  ProvenPart,
  ReadingsOf,
  ReadValue,
  SendAnswer,
  StateOverrides,
  StorageChange,
  TracedLog,
} from "./types.js";
export { type WatchedChain, watchReads } from "./watchReads.js";
export { WrongChainError } from "./wrongChainError.js";
