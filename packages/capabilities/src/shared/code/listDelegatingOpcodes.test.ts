import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import { listDelegatingOpcodes } from "./listDelegatingOpcodes.js";

test.each<[string, Hex, string[]]>([
  ["CALLCODE as well as DELEGATECALL", "0xf2f4", ["CALLCODE", "DELEGATECALL"]],
  ["none in plain and static calls", "0xf1fa00", []],
  ["none in pushed data", "0x61f2f400", []],
])("it finds %s", (_, code, expected) => {
  expect(listDelegatingOpcodes(code)).toEqual(expected);
});
