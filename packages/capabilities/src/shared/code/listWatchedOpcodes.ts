import type { Hex } from "@assay/protocol";
import { listReachableOpcodes } from "./listReachableOpcodes.js";

/** Opcodes by which code can distinguish a simulated call from a transaction. */
export const watchedOpcodes = ["GASPRICE", "BASEFEE"] as const;
export type WatchedOpcode = (typeof watchedOpcodes)[number];

const NUMBERS: Readonly<Record<WatchedOpcode, number>> = { GASPRICE: 0x3a, BASEFEE: 0x48 };

/** The watched opcodes that this code can reach. */
export function listWatchedOpcodes(bytecode: Hex): WatchedOpcode[] {
  const reachable = listReachableOpcodes(bytecode);
  return watchedOpcodes.filter((opcode) => reachable.has(NUMBERS[opcode]));
}
