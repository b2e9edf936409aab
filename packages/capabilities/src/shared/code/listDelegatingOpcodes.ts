import type { Hex } from "@assay/protocol";
import { listReachableInstructions, listReachableOpcodes } from "./listReachableOpcodes.js";

/** Opcodes that run other code on the caller's own storage and in its name. */
export const delegatingOpcodes = ["CALLCODE", "DELEGATECALL"] as const;
type DelegatingOpcode = (typeof delegatingOpcodes)[number];

const NUMBERS: Readonly<Record<DelegatingOpcode, number>> = { CALLCODE: 0xf2, DELEGATECALL: 0xf4 };

/** The delegating opcodes that this code can reach. */
export function listDelegatingOpcodes(bytecode: Hex): DelegatingOpcode[] {
  const reachable = listReachableOpcodes(bytecode);
  return delegatingOpcodes.filter((opcode) => reachable.has(NUMBERS[opcode]));
}

/** Where the code delegates. */
export function listDelegationSites(bytecode: Hex): number[] {
  const numbers = Object.values(NUMBERS);
  return listReachableInstructions(bytecode)
    .filter(({ opcode }) => numbers.includes(opcode))
    .map(({ at }) => at);
}
