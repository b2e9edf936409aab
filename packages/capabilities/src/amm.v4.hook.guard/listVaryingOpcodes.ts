import type { Hex } from "@assay/protocol";
import { listReachableOpcodes } from "../shared/code/listReachableOpcodes.js";

/**
 * Instructions by which the same call may end differently at another time: they read state, other contracts, time, the
 * sender of the transaction or its gas. CALLER is not among them: a hook is always called by the manager.
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

export type VaryingOpcode = keyof typeof NUMBERS;
export const varyingOpcodes = Object.keys(NUMBERS) as [VaryingOpcode, ...VaryingOpcode[]];

/** Those that this code can reach; without any, what it returns depends on its calldata alone. */
export function listVaryingOpcodes(bytecode: Hex): VaryingOpcode[] {
  const reachable = listReachableOpcodes(bytecode);
  return varyingOpcodes.filter((opcode) => reachable.has(NUMBERS[opcode]));
}
