import type { Hex } from "@assay/protocol";
import { hexToBytes } from "viem";

/** What code may look at to tell a simulated call from a transaction. */
export const watchedOpcodes = ["GASPRICE", "BASEFEE"] as const;
export type WatchedOpcode = (typeof watchedOpcodes)[number];

const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const WATCHED: ReadonlyMap<number, WatchedOpcode> = new Map([
  [0x3a, "GASPRICE"],
  [0x48, "BASEFEE"],
]);
/** After these nothing runs on: STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const ENDS = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff]);

/**
 * Which of them this code can come to. Jumps land only on a JUMPDEST outside pushed data, found by reading from the
 * first byte on (Yellow Paper, 9.4.3); so what this reading does not see, no run of the code does either.
 */
export function listWatchedOpcodes(bytecode: Hex): WatchedOpcode[] {
  const bytes = hexToBytes(bytecode);
  const found = new Set<WatchedOpcode>();
  let isReachable = true;
  for (let at = 0; at < bytes.length; at += 1) {
    const opcode = bytes[at] as number;
    if (opcode === JUMPDEST) isReachable = true;
    const watched = isReachable ? WATCHED.get(opcode) : undefined;
    if (watched) found.add(watched);
    if (ENDS.has(opcode)) isReachable = false;
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
  return watchedOpcodes.filter((opcode) => found.has(opcode));
}
