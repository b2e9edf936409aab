import { expect, test } from "vitest";
import { listVaryingOpcodes } from "./listVaryingOpcodes.js";

test.each<[string, `0x${string}`, readonly string[]]>([
  ["code that only computes", "0x6001600201", []],
  ["the caller, who is always the manager", "0x3350", []],
  ["storage", "0x5f5460015f55", ["SLOAD", "SSTORE"]],
  ["transient storage", "0x5f5c60015f5d", ["TLOAD", "TSTORE"]],
  ["pushed data with the byte of a call", "0x60f150", []],
  ["code after the end that no jump reaches", "0x005afa", []],
  ["code after the end that a jump reaches", "0x005b42", ["TIMESTAMP"]],
  ["a delegate call", "0x5f5f5f5f5f5af4", ["GAS", "DELEGATECALL"]],
])("%s", (_, bytecode, opcodes) => {
  expect(listVaryingOpcodes(bytecode)).toEqual(opcodes);
});
