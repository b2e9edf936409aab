import { expect, test } from "vitest";
import { classifyNodeError, findRevertData } from "./classifyNodeError.js";

test.each([
  ["execution reverted: ERC20: insufficient", 3],
  ["execution reverted", -32000],
  ["execution reverted: header not found", -32000],
  ["execution reverted: rate limit exceeded, gateway timeout", 3],
  ["VM execution error.", -32015],
  ["VM Exception while processing transaction: reverted with reason string 'unknown block'", -32000],
  ["out of gas", -32000],
  ["EVM error: InvalidFEOpcode", -32003],
  ["invalid opcode: INVALID", -32000],
  ["invalid jump destination", -32000],
  ["InvalidJump", -32603],
  ["StackUnderflow", -32603],
  ["OpcodeNotFound", -32603],
  ["err: insufficient allowance (supplied gas 100): revert", -32000],
])("the call failed: %s", (message, code) => {
  expect(classifyNodeError({ code, message })).toBe("evm_failure");
});

test.each([
  ["gateway timeout", -32015],
  ["upstream unavailable", -32015],
  ["backend did not respond", -32015],
  ["something went wrong", -32015],
  ["gateway timeout", 3],
  ["Gateway Time-out", -32000],
  ["upstream request timeout", -32603],
  ["request timed out", -32002],
  ["no available upstream", -32603],
  ["Service Unavailable", -32000],
  ["server is busy, try again later", -32000],
  ["context deadline exceeded", -32000],
  ["no backend is currently healthy to serve traffic", -32011],
  ["no backends available for method", -32011],
  ["backend offline", -32010],
  ["backend is currently not healthy to serve traffic", -32018],
  ["Temporary internal error. Please retry, trace-id: 9cf7", 19],
  ["call retries exhausted", -32000],
  ["error sending request for url (http://10.0.0.1:8545/)", -32603],
  ["write tcp 10.0.0.1:8545: broken pipe", -32000],
  ["unexpected EOF", -32000],
  ["node is syncing", -32000],
])("something before the node failed, which is no revert: %s (%i)", (message, code) => {
  expect(classifyNodeError({ code, message })).toBe("gateway");
});

test("a code of reverts needs a message or data of the machine", () => {
  expect(classifyNodeError({ code: -32015, message: "failed", data: "0x08c379a0" })).toBe("evm_failure");
  expect(classifyNodeError({ code: -32015, message: "failed", data: "0x" })).toBe("gateway");
  expect(classifyNodeError({ code: 3, message: "failed" })).toBe("evm_failure");
});

test.each([
  ["header not found", -32000],
  ["header for hash not found", -32000],
  ["unknown block", -32000],
  ["block not found: hash 0xabab", -32001],
  ["block 0xabab not found", -32000],
  ["Unknown block hash", -39001],
  ["hash 0xabab is not currently canonical", -32000],
  ["request beyond head block: requested 10, head 8", -32000],
  ["BlockOutOfRangeError: block height is 10 but requested was 12", -32602],
  ["Received invalid block tag 0xabab. Latest block number is 1", -32000],
])("this node does not have the block yet: %s", (message, code) => {
  expect(classifyNodeError({ code, message })).toBe("unknown_block");
});

test.each([
  ["missing trie node ef7df5 (path ) state 0xef7d is not available", -32000],
  ["historical state 0xef7d is not available", -32000],
  ["historical state unavailable", -32000],
  ["state at block #100 is pruned", 4444],
  ["No state available for block 0xabab", -32002],
  ["World state unavailable", -32000],
  ["project ID does not have access to archive state", -32002],
  ["required historical state unavailable (reexec=128)", -32000],
])("this node no longer has the state: %s", (message, code) => {
  expect(classifyNodeError({ code, message })).toBe("state_pruned");
});

test.each([
  ["Too Many Requests", 429],
  ["Too many request", -32000],
  ["credits limited", -32000],
  ["credits limited to 6000/sec", -32005],
  ["limit exceeded", -32005],
  ["over rate limit", -32016],
  ["rate limit exceeded", -32029],
  ["daily request count exceeded, request rate limited", -32005],
  ["Your app has exceeded its compute units per second capacity. Upgrade your plan.", 429],
  ["50/second request limit reached - reduce calls per second or upgrade your account", -32007],
  ["Monthly capacity limit exceeded.", -32000],
  ["project quota exhausted", -32000],
  ['429 Too Many Requests: {"error":{"code":-32016,"message":"over rate limit"}}', -32000],
  ["request throttled", -32000],
  ["slow down", -32000],
  ["backend is over capacity", -32012],
  ["sender is over rate limit", -32017],
  ["You've exceeded the RPS limit available on the current plan.", -32000],
  ["You've reached the limit of your plan", 12],
  ["You have exceeded the maximum number of concurrent calls", -32000],
  ["over the allowed number of requests", -32000],
])("the node is asked too often: %s (%i)", (message, code) => {
  expect(classifyNodeError({ code, message })).toBe("rate_limited");
});

test.each([
  ["You can make eth_getLogs requests with up to a 500 block range.", -32600],
  [
    "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Upgrade to PAYG",
    -32600,
  ],
  ["eth_getLogs is limited to a 10,000 range", -32614],
  ["range 1000000 exceeds limit of 10000", -32602],
  ["block range is larger than max block range, block range = 5120, max block range = 5000", -32000],
  ["block range too high", -32600],
  ["exceed maximum block range: 2000", -32000],
  ["query exceeds max results 20000, retry with the range 25766988-25775072", -32602],
  ["query returned more than 10000 results", -32005],
  ["Log response size exceeded.", -32602],
  ["ranges over 10000 blocks are not supported on freetier", 35],
])("the search covers too much: %s", (message, code) => {
  expect(classifyNodeError({ code, message })).toBe("range_refused");
});

test.each([
  ["the method eth_foo does not exist", -32601],
  ["rpc method is not whitelisted", -32000],
  ["method not whitelisted", -32601],
  ["debug_traceCall is a method that is not available on this plan", -32000],
  ["debug_traceCall is not available on the free tier", -32000],
  ["eth_getProof is not available on the Free tier - upgrade", -32600],
  ["Unsupported method: debug_traceCall", -32600],
  ["this request requires a paid plan", -32000],
  ["rpc method is not whitelisted", -32001],
])("the method is not offered: %s", (message, code) => {
  expect(classifyNodeError({ code, message })).toBe("unsupported");
});

test.each([
  ["Batched requests are not supported by this server", -32005],
  ["The batch request was too large", -32010],
  ["too many RPC calls in batch request", -32014],
  ["Request is too big", -32007],
  ["request body too large", -32021],
  ["backend response too large", -32020],
])("too much for one request: %s (%i)", (message, code) => {
  expect(classifyNodeError({ code, message })).toBe("oversized");
});

test("what a gateway wraps in its own error counts", () => {
  const wrapped = (data: unknown) => classifyNodeError({ code: -32603, message: "Internal error", data });
  expect(wrapped({ code: -32005, message: "rate limit exceeded" })).toBe("rate_limited");
  expect(wrapped({ code: 3, message: "execution reverted" })).toBe("evm_failure");
  expect(wrapped("upstream request timeout")).toBe("gateway");
  // A contract may have chosen it.
  expect(wrapped("execution reverted")).toBe("unclear");
  expect(wrapped("0x")).toBe("unclear");
});

test.each([
  ["invalid argument 1: cannot unmarshal object into Go value", -32602, "bad_params"],
  ["too many arguments, want at most 2", -32602, "bad_params"],
  ["distance to target block exceeds maximum proof window", -32602, "proof_window"],
  ["historical proofs are not supported, proofs of the latest block only", -32000, "proof_window"],
  ["Internal error", -32603, "unclear"],
  ["execution aborted (timeout = 5s)", -32000, "other"],
  ["tracing failed: execution timeout", -32000, "other"],
] as const)("about the request or the node: %s", (message, code, kind) => {
  expect(classifyNodeError({ code, message })).toBe(kind);
});

test.each([
  ["0xDEADBEEF", "0xdeadbeef"],
  ["Reverted 0x08c379a0", "0x08c379a0"],
  [{ data: "0xdeadbeef" }, "0xdeadbeef"],
  [{ data: { data: "0xdeadbeef" } }, "0xdeadbeef"],
  ["0x", null],
  [undefined, null],
  ["no hex at all", null],
])("the revert payload in %j is %j", (data, payload) => {
  expect(findRevertData({ code: 3, message: "execution reverted", data })).toBe(payload);
});
