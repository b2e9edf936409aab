import type { Hex } from "@assay/protocol";
import { listInstructions } from "../code/describeProgram.js";

const [EXTCODESIZE, TIMESTAMP, NUMBER] = [0x3b, 0x42, 0x43];
const [ISZERO, SELFBALANCE] = [0x15, 0x47];
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
/** The compiler's check that a contract is there ends in the call within so many instructions. */
const CALL_DISTANCE = 16;

function replace(code: Hex, places: readonly (readonly [at: number, opcode: number])[]): Hex {
  const text = [...code];
  for (const [at, opcode] of places) text.splice(2 + at * 2, 2, ...opcode.toString(16).padStart(2, "0"));
  return text.join("") as Hex;
}

/**
 * Code that takes its own balance of native currency for the time and for the number of the block. Nodes do not let a call
 * run later, but a call can send native currency.
 */
export function patchClock(code: Hex): Hex {
  const clocks = listInstructions(code).filter(({ opcode }) => opcode === TIMESTAMP || opcode === NUMBER);
  return replace(
    code,
    clocks.map(({ at }) => [at, SELFBALANCE]),
  );
}

/** Where the code asks whether an account has code, other than to check a contract before it is called. */
function findLooks(code: Hex): number[] {
  const instructions = listInstructions(code);
  return instructions.flatMap(({ at, opcode }, index) => {
    if (opcode !== EXTCODESIZE) return [];
    const next = instructions.slice(index + 1, index + 1 + CALL_DISTANCE);
    return next.some((one) => CALLS.has(one.opcode)) ? [] : [at];
  });
}

export const looksAtCode = (code: Hex): boolean => findLooks(code).length > 0;

/** Code to which every account seems to be one without code, as the account of an ordinary holder is. */
export function patchLooks(code: Hex): Hex {
  return replace(
    code,
    findLooks(code).map((at) => [at, ISZERO]),
  );
}
