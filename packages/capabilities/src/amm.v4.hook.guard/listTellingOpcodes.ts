import type { Hex } from "@assay/protocol";
import { listReachableOpcodes } from "../shared/code/listReachableOpcodes.js";

/**
 * What makes code do otherwise tomorrow than today with the same question: state, other contracts, time, the sender of the
 * transaction and its gas. CALLER is not among them: a hook's is always the manager.
 */
const NUMBERS = {
  BALANCE: 0x31,
  ORIGIN: 0x32,
  GASPRICE: 0x3a,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  EXTCODEHASH: 0x3f,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  PREVRANDAO: 0x44,
  GASLIMIT: 0x45,
  SELFBALANCE: 0x47,
  BASEFEE: 0x48,
  BLOBHASH: 0x49,
  BLOBBASEFEE: 0x4a,
  SLOAD: 0x54,
  SSTORE: 0x55,
  GAS: 0x5a,
  TLOAD: 0x5c,
  TSTORE: 0x5d,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  SELFDESTRUCT: 0xff,
} as const;

export type TellingOpcode = keyof typeof NUMBERS;
export const tellingOpcodes = Object.keys(NUMBERS) as [TellingOpcode, ...TellingOpcode[]];

/** Which of them this code can come to; without any, its answer depends on its question alone. */
export function listTellingOpcodes(bytecode: Hex): TellingOpcode[] {
  const reachable = listReachableOpcodes(bytecode);
  return tellingOpcodes.filter((opcode) => reachable.has(NUMBERS[opcode]));
}
