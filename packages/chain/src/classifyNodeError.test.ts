import { expect, test } from "vitest";
import { classifyNodeError, findRevertData } from "./classifyNodeError.js";

test.each([
  ["execution reverted: ERC20: insufficient", 3],
  ["execution reverted", -32000],
  ["execution reverted: header not found", -32000],
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
  ["header not found", -32000],
  ["header for hash not found", -32000],
  ["unknown block", -32000],
  ["block not found: hash 0xabab", -32001],
  ["block 0xabab not found", -32000],
  ["Unknown block hash", -39001],
  ["hash 0xabab is not currently canonical", -32000],
  ["missing trie node ef7df5 (path ) state 0xef7d is not available", -32000],
  ["state at block #100 is pruned", 4444],
  ["No state available for block 0xabab", -32002],
  ["World state unavailable", -32000],
  ["request beyond head block: requested 10, head 8", -32000],
  ["BlockOutOfRangeError: block height is 10 but requested was 12", -32602],
  ["Received invalid block tag 0xabab. Latest block number is 1", -32000],
])("this node lacks the block: %s", (message, code) => {
  expect(classifyNodeError({ code, message })).toBe("unknown_block");
});

test.each([
  ["invalid argument 1: cannot unmarshal object into Go value", -32602, "bad_params"],
  ["daily request count exceeded, request rate limited", -32005, "rate_limited"],
  ["Too Many Requests", 429, "rate_limited"],
  ["Internal error", -32603, "other"],
  ["execution aborted (timeout = 5s)", -32000, "other"],
  ["the method eth_foo does not exist", -32601, "unsupported"],
  ["debug_traceCall is a method that is not available on this plan", -32000, "unsupported"],
  ["Unsupported method: debug_traceCall", -32600, "unsupported"],
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
