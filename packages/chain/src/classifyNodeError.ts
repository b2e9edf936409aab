import type { NodeError } from "./rpcAnswer.js";

/**
 * What a node's error is about:
 * `evm_failure`: the call itself failed at that block, which is a fact about the chain;
 * `unknown_block`: this node does not hold the block or its state, which is no fact about the chain;
 * `rate_limited` and `bad_params`: the request; `unsupported`: a method that this node does not offer;
 * `other`: an internal problem of the node.
 */
export type NodeErrorKind =
  | "evm_failure"
  | "unknown_block"
  | "rate_limited"
  | "unsupported"
  | "bad_params"
  | "other";

// Contracts choose their revert reasons, so these patterns are anchored at the start of the message and
// tried first: a contract that reverts with "header not found" must still be read as reverted.
const EVM_FAILURE = [
  /^execution reverted/i,
  /^(vm )?exception while processing transaction/i,
  /^vm execution error/i,
  /^transaction (reverted|ran out of gas)/i,
  /^revert(ed)?\b/i,
  /^evm error/i,
  /^(contract creation code storage )?out of gas/i,
  /^(invalid|undefined) opcode/i,
  /^opcode 0x[0-9a-f]+ not defined/i,
  /^stack ?(under|over)flow/i,
  /^stack limit reached/i,
  /^(invalid|bad) ?jump/i,
  /^write protection/i,
  /^return data out of bounds/i,
  /^gas uint64 overflow/i,
  /^max call depth exceeded/i,
  // revm's names of a halt, where the node passes them on unchanged.
  /^(InvalidFEOpcode|OpcodeNotFound|OutOfOffset|StateChangeDuringStaticCall|CallNotAllowedInsideStatic|CallTooDeep|NotActivated|PrecompileError)\b/,
];

const UNKNOWN_BLOCK = [
  /header (for hash )?(\S+ )?not found/i,
  /unknown (block|header)/i,
  /\bblock\b.{0,100}not found/i,
  /(could not|cannot|can't|unable to) find (the )?(block|header)/i,
  /could not be found/i,
  /received invalid block tag/i,
  /not currently canonical/i,
  /beyond (the )?(current )?head/i,
  /block ?(height|number)?\b.{0,60}(out of range|but requested)/i,
  /missing trie node/i,
  /no state available/i,
  /world state unavailable/i,
  /\bstate\b.{0,120}(not available|unavailable|pruned)/i,
  /due to pruning/i,
];

const RATE_LIMITED =
  /rate.?limit|too many requests|request limit|requests per second|compute units|capacity exceeded/i;
// Gateways offer methods by subscription plan and each words its refusal differently.
const UNSUPPORTED =
  /\bmethod\b.{0,80}(not (found|available|supported|allowed|enabled)|does not exist|disabled)|unsupported method/i;
const BAD_PARAMS = /invalid (argument|param)|cannot unmarshal|failed to (parse|decode)|unsupported block/i;

const some = (patterns: readonly RegExp[], message: string) => patterns.some((p) => p.test(message));

export function classifyNodeError(error: NodeError): NodeErrorKind {
  const { code, message } = error;
  // 3 is the common code of a revert, -32015 that of Nethermind and OpenEthereum.
  if (code === 3 || code === -32015 || some(EVM_FAILURE, message) || isEdrFailure(error.data))
    return "evm_failure";
  if (code === 429 || RATE_LIMITED.test(message)) return "rate_limited";
  // -32001 is "resource not found" in EIP-1474; reth and Nethermind use it for blocks.
  if (code === -32001 || some(UNKNOWN_BLOCK, message)) return "unknown_block";
  if (/\brevert(ed)?\b/i.test(message)) return "evm_failure";
  // -32601 is "method not found" in JSON-RPC, -32004 "method not supported" in EIP-1474.
  if (code === -32601 || code === -32004 || UNSUPPORTED.test(message)) return "unsupported";
  if (code === -32602 || BAD_PARAMS.test(message)) return "bad_params";
  return "other";
}

/**
 * The data that the contract reverted with. Nodes differ on empty data (some send "0x", some
 * nothing), so both are null: one fact of the chain must give one reading with every node.
 */
export function findRevertData(error: NodeError): string | null {
  const found = findHex(error.data);
  return found === undefined || found === "0x" ? null : found.toLowerCase();
}

function findHex(data: unknown): string | undefined {
  if (typeof data === "string") return /^(?:reverted )?(0x(?:[0-9a-f]{2})*)$/i.exec(data.trim())?.[1];
  // Hardhat's node and some gateways wrap the payload in one more object.
  if (typeof data === "object" && data !== null && "data" in data) return findHex(data.data);
  return undefined;
}

/** EDR has many names for halts ("StackUnderflow"), but always reports them with a reason and a transaction hash. */
function isEdrFailure(data: unknown): boolean {
  return typeof data === "object" && data !== null && "reason" in data && "transactionHash" in data;
}
