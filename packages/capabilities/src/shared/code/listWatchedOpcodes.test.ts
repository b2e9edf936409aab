import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import { listWatchedOpcodes } from "./listWatchedOpcodes.js";

test.each<[string, Hex, string[]]>([
  ["nothing", "0x", []],
  ["both", "0x3a48", ["GASPRICE", "BASEFEE"]],
  ["the base fee behind a jump", "0x6004565b4800", ["BASEFEE"]],
  [
    "nothing of what is pushed",
    "0x613a487f48484848484848484848484848484848484848484848484848484848484848480000",
    [],
  ],
  ["nothing of what no jump can reach, as a metadata tail", "0x00483a48", []],
  ["a tail that can be jumped into", "0x005b48", ["BASEFEE"]],
])("it finds %s", (_, code, expected) => {
  expect(listWatchedOpcodes(code)).toEqual(expected);
});
