import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import { cutMetadata, describeProgram, listProgramOpcodes } from "./describeProgram.js";
import { listWatchedOpcodes } from "./listWatchedOpcodes.js";

/** A map with one hash, whose bytes hold JUMPDEST and BASEFEE. */
const METADATA = `a164${"69706673"}5822${"5b48".padEnd(68, "0")}002a`;

test.each<[string, Hex, string[], string[]]>([
  ["is not code", `0x3a00${METADATA}`, ["GASPRICE"], ["GASPRICE"]],
  ["may be jumped into", `0x600b5600${METADATA}`, ["BASEFEE"], ["BASEFEE"]],
])("what looks like an instruction in a compiler's metadata %s", (_, code, described, watched) => {
  expect(describeProgram(code).opcodes).toEqual(described);
  expect(listWatchedOpcodes(cutMetadata(code))).toEqual(watched);
  expect(listProgramOpcodes(code)).toContain("BASEFEE");
});
