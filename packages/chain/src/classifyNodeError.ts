import type { NodeError } from "./rpcAnswer.js";

/**
 * What a node's error is about.
 * `evm_failure`: the call itself failed at that block, which is a fact about the chain; nothing else here is one.
 * Passing, so that the same question may be answered a moment later: `unknown_block` (the node lags), `rate_limited`,
 * `gateway` (something between us and the node, or the node's own time limit for the request).
 * Lasting, as long as the node is what it is: `state_pruned`, `proof_window` (proofs of newer blocks only), `range_refused` (a
 * search for events over too many blocks), `oversized` (too much for one request, or a batch where none is taken),
 * `unsupported` (a method that is not offered), `bad_params`, `other` (a question that is too much for the node).
 * `unclear`: nothing that is known here, such as an internal error.
 */
export type NodeErrorKind =
  | "evm_failure"
  | "unknown_block"
  | "rate_limited"
  | "gateway"
  | "state_pruned"
  | "proof_window"
  | "range_refused"
  | "oversized"
  | "unsupported"
  | "bad_params"
  | "other"
  | "unclear";

interface Row {
  readonly kind: NodeErrorKind;
  readonly codes?: readonly number[];
  readonly messages?: readonly RegExp[];
}

/**
 * The first row that matches decides: one of its messages, or one of its codes. Messages stand before codes wherever providers
 * use one code for several things: -32005 is a rate limit, a refused range or too many results.
 */
const ROWS: readonly Row[] = [
  {
    // Contracts choose their revert reasons, so these are anchored at the start of the message and tried first: a contract that
    // reverts with "header not found" must still be read as reverted.
    kind: "evm_failure",
    messages: [
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
    ],
  },
  // The node gave up on the question itself, as it will again.
  { kind: "other", messages: [/\b(execution|evm|trac(e|er|ing))\b.{0,40}\b(aborted|time(d ?| )?out)/i] },
  {
    kind: "proof_window",
    messages: [/proof window/i, /proofs?\b.{0,60}(latest|recent|historical|too old)/i],
  },
  {
    kind: "range_refused",
    messages: [
      /\bblock range\b/i,
      /\branges?\b.{0,60}(too (large|wide|big|high)|exceed|limit|larger than|not supported)/i,
      /(limited|limit|exceeds?|maximum|max).{0,40}\brange\b/i,
      /(returned|exceeds?|exceeded|more than).{0,40}\b(results|logs)\b/i,
      /(log )?response size (should|exceed|is larger)/i,
      /too many (blocks|logs|results)/i,
    ],
  },
  // -32601 is "method not found" in JSON-RPC, -32004 "method not supported" in EIP-1474.
  { kind: "unsupported", codes: [-32601, -32004] },
  {
    kind: "rate_limited",
    messages: [
      /rate.?limit/i,
      /too many (concurrent |simultaneous )?(requests?|connections)/i,
      /\b(request|usage|quota|credit|throughput|capacity|daily|monthly)s?\b.{0,60}(limit|exceed|exhaust|reached|depleted)/i,
      /(exceed|exhaust|reach|out of|over)\w*\b.{0,60}(compute units|credits?|quota|capacity|request limit|rate)/i,
      /requests? per (second|minute|day)/i,
      /\bthrottl|slow down/i,
      /\b(rps|cups?|compute units?|bandwidth|concurrent|spending|plan|tier|subscription)\b.{0,40}(limit|exceed|exhaust|reached|depleted|used up)/i,
      /(exceed|exhaust|reach|over)\w*\b.{0,60}\b(rps|cups?|bandwidth|concurrent|spending|plan|tier|subscription|allowed number)\b/i,
    ],
  },
  // -32005 and -32007 are limits elsewhere, and to jsonrpsee, in front of reth, a batch and a request that is too big.
  {
    kind: "oversized",
    messages: [
      /\bbatch(ed|es)?\b/i,
      /\b(request|response|body|payload|entity|content|message)\b.{0,20}\btoo (big|large|long)/i,
    ],
  },
  {
    kind: "state_pruned",
    messages: [
      /missing trie node/i,
      /no state (available|found)/i,
      /world state unavailable/i,
      /\bstate\b.{0,120}(not available|unavailable|not found|pruned)/i,
      /\bpruned\b|due to pruning/i,
      /\barchiv(e|al)\b/i,
    ],
  },
  {
    kind: "unknown_block",
    messages: [
      /header (for hash )?(\S+ )?not found/i,
      /unknown (block|header)/i,
      /\bblock\b.{0,100}not found/i,
      /(could not|cannot|can't|unable to) find (the )?(block|header)/i,
      /could not be found/i,
      /received invalid block tag/i,
      /not currently canonical/i,
      /beyond (the )?(current )?head/i,
      /block ?(height|number)?\b.{0,60}(out of range|but requested)/i,
    ],
  },
  {
    kind: "gateway",
    // go-ethereum's code of a request that took too long.
    codes: [-32002],
    messages: [
      /\bgateway\b/i,
      /\bupstreams?\b/i,
      /\b(backends?|origins?|providers?)\b.{0,60}(unavailable|offline|time|error|down|healthy|fail|respon)/i,
      /no (healthy|available|working|backends?|nodes?|servers?|providers?|peers?)\b/i,
      /(service|server|temporarily|node)\b.{0,20}\b(unavailable|busy|overloaded)/i,
      /\btime(d|s)? ?-?out\b/i,
      /deadline exceeded|context cancell?ed/i,
      /connection (was |is )?(reset|refused|closed|lost)/i,
      /\b(network|socket|transport) error|error sending request|broken pipe|\bEOF\b|internal server error/i,
      /try again|\bretry\b|\bretries\b|temporar(y|ily)\b/i,
      /\bsyncing\b|not (yet )?(synced|ready)\b|sync is (still )?in progress|under maintenance/i,
    ],
  },
  // Contracts cannot reach this: what they choose stands behind one of the first row's beginnings.
  { kind: "evm_failure", codes: [3], messages: [/\brevert(ed)?\b/i] },
  {
    kind: "unsupported",
    // Gateways offer methods by subscription plan, and each words its refusal differently.
    messages: [
      /\bmethod\b.{0,80}(not (found|available|supported|allowed|enabled|whitelisted|permitted)|does not exist|disabled|restricted|blocked)/i,
      /unsupported method|(not|isn't) (in the )?whitelist(ed)?/i,
      /not (available|supported|included|allowed|enabled)\b.{0,30}\b(tier|plan|subscription)/i,
      /(requires?|need)\b.{0,40}\b(paid|higher|premium|growth|enterprise)\b/i,
    ],
  },
  // "Resource not found" in EIP-1474; reth and Nethermind use it for blocks.
  { kind: "unknown_block", codes: [-32001] },
  {
    kind: "bad_params",
    codes: [-32602],
    messages: [
      /invalid (argument|param)/i,
      /cannot unmarshal/i,
      /failed to (parse|decode)/i,
      /unsupported block/i,
      /too many arguments/i,
    ],
  },
  // Nothing of the machine's own in the message: it does not come from one.
  { kind: "gateway", codes: [-32015] },
];

/** Codes of limits; their messages are tried first, because some providers use them for refused ranges too. */
const LIMIT_CODES: ReadonlySet<number> = new Set([429, -32005, -32007, -32016, -32029]);

export function classifyNodeError(error: NodeError): NodeErrorKind {
  const { code, message } = error;
  if (isEdrFailure(error.data)) return "evm_failure";
  // 3 is the common code of a revert, -32015 that of Nethermind and OpenEthereum; gateways use the second for faults of theirs.
  if ((code === 3 || code === -32015) && findRevertData(error) !== null) return "evm_failure";
  const row = ROWS.find(
    ({ codes, messages }) => codes?.includes(code) || messages?.some((pattern) => pattern.test(message)),
  );
  if (row !== undefined && row.kind !== "gateway") return row.kind;
  if (LIMIT_CODES.has(code)) return "rate_limited";
  return row?.kind ?? classifyCause(error.data) ?? "unclear";
}

/** Some gateways and libraries wrap what went wrong in an error that says nothing itself. */
function classifyCause(data: unknown): NodeErrorKind | undefined {
  if (typeof data === "string") {
    // Contracts choose such texts as well, so no fact about the chain is read from one.
    const kind = classifyNodeError({ code: 0, message: data });
    return kind === "rate_limited" || kind === "gateway" ? kind : undefined;
  }
  if (typeof data !== "object" || data === null || !("message" in data)) return undefined;
  const code = "code" in data ? Number(data.code) : 0;
  return classifyNodeError({ ...data, code, message: String(data.message) });
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
