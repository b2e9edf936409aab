import type { Hex } from "@assay/protocol";
import { hexToBytes } from "viem";
import { findMetadataTail } from "./findMetadataTail.js";

/** Instructions that matter for what a token may do, by their number. */
const NAMES: Readonly<Record<number, ProgramOpcode>> = {
  49: "BALANCE",
  50: "ORIGIN",
  58: "GASPRICE",
  59: "EXTCODESIZE",
  60: "EXTCODECOPY",
  63: "EXTCODEHASH",
  64: "BLOCKHASH",
  65: "COINBASE",
  66: "TIMESTAMP",
  67: "NUMBER",
  68: "PREVRANDAO",
  69: "GASLIMIT",
  71: "SELFBALANCE",
  72: "BASEFEE",
  73: "BLOBHASH",
  74: "BLOBBASEFEE",
  84: "SLOAD",
  85: "SSTORE",
  92: "TLOAD",
  240: "CREATE",
  241: "CALL",
  242: "CALLCODE",
  244: "DELEGATECALL",
  245: "CREATE2",
  250: "STATICCALL",
  255: "SELFDESTRUCT",
};
export const programOpcodes = [
  "BALANCE",
  "ORIGIN",
  "GASPRICE",
  "EXTCODESIZE",
  "EXTCODECOPY",
  "EXTCODEHASH",
  "BLOCKHASH",
  "COINBASE",
  "TIMESTAMP",
  "NUMBER",
  "PREVRANDAO",
  "GASLIMIT",
  "SELFBALANCE",
  "BASEFEE",
  "BLOBHASH",
  "BLOBBASEFEE",
  "SLOAD",
  "SSTORE",
  "TLOAD",
  "CREATE",
  "CALL",
  "CALLCODE",
  "DELEGATECALL",
  "CREATE2",
  "STATICCALL",
  "SELFDESTRUCT",
  /** The gas left is read for another purpose than to pass it on in a call. */
  "GAS",
] as const;
export type ProgramOpcode = (typeof programOpcodes)[number];

export interface ProgramFacts {
  readonly opcodes: ProgramOpcode[];
  /** Words in the code that may be addresses: constants, and variables that are set once. */
  readonly addresses: Hex[];
  /** Small numbers that the code compares something with. */
  readonly numbers: string[];
}

const [JUMPDEST, PUSH1, PUSH20, PUSH32, GAS, EQ, SUB] = [0x5b, 0x60, 0x73, 0x7f, 0x5a, 0x14, 0x03];
const ENDS = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff]);
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
const MAX_ADDRESSES = 16;
const MAX_NUMBERS = 8;

interface Instruction {
  readonly at: number;
  readonly opcode: number;
  readonly pushed: Hex | null;
}

/** The instructions that can run, in order: see `listReachableOpcodes`. */
export function listInstructions(bytecode: Hex): Instruction[] {
  const bytes = hexToBytes(bytecode);
  const found: Instruction[] = [];
  let isReachable = true;
  for (let at = 0; at < bytes.length; at += 1) {
    const opcode = bytes[at] as number;
    if (opcode === JUMPDEST) isReachable = true;
    const size = opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 1 : 0;
    const pushed: Hex | null =
      size === 0 ? null : `0x${bytecode.slice(2 + (at + 1) * 2, 2 + (at + 1 + size) * 2)}`;
    if (isReachable) found.push({ at, opcode, pushed });
    if (ENDS.has(opcode)) isReachable = false;
    at += size;
  }
  return found;
}

/**
 * The code without the compiler's metadata, whose bytes would look like instructions. It is kept where the code pushes a number
 * that could be a jump into it. A jump that is computed shows only where the code is followed (`exploreTrade`).
 */
export function cutMetadata(bytecode: Hex): Hex {
  const bytes = hexToBytes(bytecode);
  const tail = findMetadataTail(bytes);
  if (tail === null) return bytecode;
  const program = bytecode.slice(0, 2 + tail * 2) as Hex;
  const jumpsIn = listInstructions(program).some(({ pushed }) => {
    const number = pushed === null || pushed.length > 10 ? 0 : Number(pushed);
    return number >= tail && number < bytes.length;
  });
  return jumpsIn ? bytecode : program;
}

/** For code that is followed as well. */
export const describeProgram = (bytecode: Hex): ProgramFacts => describe(cutMetadata(bytecode));

/** What the whole code may do, its metadata too: for code that is not followed. */
export const listProgramOpcodes = (bytecode: Hex): ProgramOpcode[] => describe(bytecode).opcodes;

function describe(code: Hex): ProgramFacts {
  const instructions = listInstructions(code);
  const opcodes = new Set<ProgramOpcode>();
  const addresses = new Set<Hex>();
  const numbers = new Set<string>();
  instructions.forEach(({ opcode, pushed }, index) => {
    const name = NAMES[opcode];
    if (name) opcodes.add(name);
    if (opcode === GAS && !CALLS.has(instructions[index + 1]?.opcode ?? 0)) opcodes.add("GAS");
    if (pushed === null) return;
    const address = opcode === PUSH20 ? pushed : opcode === PUSH32 ? addressInPush(pushed) : null;
    if (address !== null && isLikelyAddress(address)) addresses.add(address);
    const isCompared = instructions
      .slice(index + 1, index + 4)
      .some((next) => next.opcode === EQ || next.opcode === SUB);
    // Selectors are compared as well: they have four bytes.
    if (isCompared && pushed.length !== 10 && BigInt(pushed) > 1n && !isMask(pushed))
      numbers.add(BigInt(pushed).toString());
  });
  return {
    opcodes: programOpcodes.filter((name) => opcodes.has(name)),
    addresses: [...addresses].slice(0, MAX_ADDRESSES),
    numbers: [...numbers].slice(0, MAX_NUMBERS),
  };
}

const isMask = (word: Hex): boolean => /^0x0*1?(?:f+|0+)$/.test(word);
const addressInPush = (word: Hex): Hex | null =>
  /^0x0{24}[0-9a-f]{40}$/.test(word) ? `0x${word.slice(26)}` : null;

/** Masks and small numbers are pushed with twenty bytes too. */
const isLikelyAddress = (address: Hex): boolean =>
  !/^0x(?:f{40}|0{16}|.*0{16}$)/.test(address) || /^0x0{36}dead$/.test(address);
