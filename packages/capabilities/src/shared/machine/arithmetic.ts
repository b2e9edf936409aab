import { merge, NO_SOURCES, type Test, type Value, ZERO } from "./value.js";

const WORD = 1n << 256n;
const MASK = WORD - 1n;
const SIGN = 1n << 255n;

type Compute = (a: bigint, b: bigint, c: bigint) => bigint;
const signed = (word: bigint): bigint => (word >= SIGN ? word - WORD : word);
const flag = (value: boolean): bigint => (value ? 1n : 0n);
export const PURE: Readonly<Record<number, Compute>> = {
  1: (a, b) => a + b,
  2: (a, b) => a * b,
  3: (a, b) => a - b,
  4: (a, b) => (b === 0n ? 0n : a / b),
  5: (a, b) => (b === 0n ? 0n : signed(a) / signed(b)),
  6: (a, b) => (b === 0n ? 0n : a % b),
  7: (a, b) => (b === 0n ? 0n : signed(a) % signed(b)),
  8: (a, b, n) => (n === 0n ? 0n : (a + b) % n),
  9: (a, b, n) => (n === 0n ? 0n : (a * b) % n),
  10: (a, b) => power(a, b),
  11: (size, word) => {
    if (size > 30n) return word;
    const bits = (size + 1n) * 8n;
    const low = word & ((1n << bits) - 1n);
    return low >> (bits - 1n) ? low - (1n << bits) : low;
  },
  16: (a, b) => flag(a < b),
  17: (a, b) => flag(a > b),
  18: (a, b) => flag(signed(a) < signed(b)),
  19: (a, b) => flag(signed(a) > signed(b)),
  20: (a, b) => flag(a === b),
  21: (a) => flag(a === 0n),
  22: (a, b) => a & b,
  23: (a, b) => a | b,
  24: (a, b) => a ^ b,
  25: (a) => ~a,
  26: (index, word) => (index > 31n ? 0n : (word >> (8n * (31n - index))) & 0xffn),
  27: (shift, word) => (shift > 255n ? 0n : word << shift),
  28: (shift, word) => (shift > 255n ? 0n : word >> shift),
  29: (shift, word) => signed(word) >> (shift > 255n ? 255n : shift),
};

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor] = [1n, base];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) & MASK;
    factor = (factor * factor) & MASK;
  }
  return result;
}

/** The result of an instruction that depends on its operands alone. */
export function compute(opcode: number, operation: Compute, operands: readonly Value[]): Value {
  const [a, b, c] = operands;
  const words = operands.map(({ word }) => word);
  const known = words.every((word) => word !== null);
  const word = known
    ? operation(words[0] ?? 0n, words[1] ?? 0n, words[2] ?? 0n) & MASK
    : annihilated(opcode, words);
  const test = a && findTest(opcode, a, b);
  // A mask or a shift by a constant leaves the origin of the value what it is.
  const sources = word !== null && !known ? NO_SOURCES : merge(a ?? ZERO, b ?? ZERO, c ?? ZERO);
  const disguise = word === null && a ? findDisguise(opcode, a, b) : undefined;
  const isOpen = word === null || sources.length > 0;
  return {
    word,
    sources,
    ...(test && { test }),
    ...(disguise && { disguise }),
    ...(isOpen && { of: { opcode, operands } }),
  };
}

/** Zero whatever the other operand is: a product or a mask with zero. */
function annihilated(opcode: number, words: readonly (bigint | null)[]): bigint | null {
  return (opcode === 0x02 || opcode === 0x16) && words.includes(0n) ? 0n : null;
}

function findTest(opcode: number, a: Value, b: Value | undefined): Test | undefined {
  const [first, second] = [a.test?.kind, b?.test?.kind];
  if (opcode === 0x15) {
    if (first === "value") return { kind: "no_value" };
    if (first === "no_value") return { kind: "value" };
    return undefined;
  }
  if (opcode === 0x1c && a.word === 224n && second === "first_word") return { kind: "selector" };
  if (opcode === 0x04 && first === "first_word" && b?.word === 1n << 224n) return { kind: "selector" };
  if (opcode === 0x16 && (first === "selector" || second === "selector")) return { kind: "selector" };
  if (opcode === 0x14 || opcode === 0x18 || opcode === 0x03) {
    const other = first === "selector" ? b : second === "selector" ? a : undefined;
    if (other !== undefined && other.word !== null && other.word <= 0xffffffffn && opcode === 0x14)
      return { kind: "is_selector", selector: Number(other.word) };
  }
  return undefined;
}

const [ADD, MUL, SUB, DIV, MOD, EQ, XOR, NOT] = [0x01, 0x02, 0x03, 0x04, 0x06, 0x14, 0x18, 0x19];
/** With MULMOD, ADDMOD and EXP. */
const MIXING: readonly number[] = [ADD, MUL, SUB, DIV, MOD, 0x08, 0x09, 0x0a, XOR, NOT];
const COMPARING: readonly number[] = [EQ, SUB, XOR];
/** Addresses of precompiled contracts: the signer of a message, SHA-256 and RIPEMD-160. */
const [SIGNER, ...DIGESTS] = [1n, 2n, 3n];
const SMALLEST_ADDRESS = 2n ** 96n;
/** No amount that a rule of a token would ask for exactly. */
const SMALLEST_SECRET = 2n ** 64n;

const isAnswerOf = (value: Value, ...contracts: readonly (bigint | undefined)[]): boolean =>
  value.sources.some((source) => source.from === "call" && contracts.includes(source.to.word ?? -1n));
export const isDigest = (value: Value): boolean =>
  value.word === null && (value.disguise === "digest" || isAnswerOf(value, ...DIGESTS));
const isPlain = ({ word, sources, disguise }: Value, origin: "caller" | "calldata"): boolean =>
  word === null &&
  disguise === undefined &&
  sources.length > 0 &&
  sources.every(({ from }) => from === origin);
const isCaller = (value: Value): boolean => isPlain(value, "caller");
/** An account that the program has fixed: a constant, or a word of its storage that does not depend on the call. */
const isFixedAccount = ({ word, sources }: Value): boolean =>
  word !== null
    ? word >= SMALLEST_ADDRESS
    : sources.length > 0 &&
      sources.every((source) => source.from === "storage" && source.slot !== null && source.key.length === 0);

function findDisguise(opcode: number, a: Value, b: Value | undefined): Value["disguise"] {
  const digests = [a, b].filter((value) => value !== undefined && isDigest(value)).length;
  // Two places of one array are compared where it is copied.
  if (digests === 1 || (digests === 2 && (opcode === EQ || opcode === XOR))) return "digest";
  if (b === undefined) return opcode === NOT && isCaller(a) ? "mixed" : undefined;
  const other = a.disguise === "mixed" ? b : b.disguise === "mixed" ? a : undefined;
  if (other !== undefined) return COMPARING.includes(opcode) && isFixedAccount(other) ? "digest" : "mixed";
  const [caller, constant] = isCaller(a) ? [a, b] : [b, a];
  if (MIXING.includes(opcode) && isCaller(caller) && constant.word !== null && constant.word > 1n)
    return "mixed";
  const worked = findWorked(opcode, a, b);
  if (worked !== undefined) return worked;
  const signed = isAnswerOf(a, SIGNER) ? b : isAnswerOf(b, SIGNER) ? a : undefined;
  return signed !== undefined && COMPARING.includes(opcode) && isFixedAccount(signed) ? "digest" : undefined;
}

/** Arithmetic of an argument with constants alone, and its comparison with a large one, which only who computed it back can meet. */
function findWorked(opcode: number, a: Value, b: Value): Value["disguise"] {
  const [value, constant] = a.word === null ? [a, b.word] : [b, a.word];
  if (constant === null) return undefined;
  if (value.disguise === "worked") return opcode === EQ && constant >= SMALLEST_SECRET ? "digest" : "worked";
  return MIXING.includes(opcode) && constant > 1n && isPlain(value, "calldata") ? "worked" : undefined;
}
