import type { Hex } from "@assay/protocol";
import { hexToBytes } from "viem";

const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
/** The next byte does not run after these: STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff]);

/**
 * The instructions that this code can reach. Jumps land only on a JUMPDEST outside pushed data, found by reading from the
 * first byte on (Yellow Paper, 9.4.3). An instruction that this reading does not find can never run.
 */
export function listReachableOpcodes(bytecode: Hex): ReadonlySet<number> {
  return new Set(listReachableInstructions(bytecode).map(({ opcode }) => opcode));
}

/** The same with the place of each. */
export function listReachableInstructions(bytecode: Hex): readonly { opcode: number; at: number }[] {
  const bytes = hexToBytes(bytecode);
  const found: { opcode: number; at: number }[] = [];
  let isReachable = true;
  for (let at = 0; at < bytes.length; at += 1) {
    const opcode = bytes[at] as number;
    if (opcode === JUMPDEST) isReachable = true;
    if (isReachable) found.push({ opcode, at });
    if (ENDS.has(opcode)) isReachable = false;
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
  return found;
}
