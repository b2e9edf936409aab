import { expect, test } from "vitest";
import { listTellingOpcodes } from "./listTellingOpcodes.js";

test.each<[string, `0x${string}`, readonly string[]]>([
  ["code that only computes", "0x6001600201", []],
  ["the caller, who is always the manager", "0x3350", []],
  ["storage", "0x5f5460015f55", ["SLOAD", "SSTORE"]],
  ["transient storage", "0x5f5c60015f5d", ["TLOAD", "TSTORE"]],
  ["pushed data that looks like a call", "0x60f150", []],
  ["what stands behind the end and no jump reaches", "0x005afa", []],
  ["what stands behind the end and a jump reaches", "0x005b42", ["TIMESTAMP"]],
  ["a delegate call", "0x5f5f5f5f5f5af4", ["GAS", "DELEGATECALL"]],
])("%s", (_, bytecode, opcodes) => {
  expect(listTellingOpcodes(bytecode)).toEqual(opcodes);
});
