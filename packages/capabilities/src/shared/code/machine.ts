import type { Hex } from "@assay/protocol";
import { hexToBytes, keccak256 } from "viem";

/** Where a value on the stack came from. Constants of the code have no source. */
export type Source =
  | { readonly from: "calldata" | "caller" | "self" | "value" | "balance" | "environment" | "unknown" }
  /** Storage of the running contract; the slot is null where it is not known before the call is. */
  | { readonly from: "storage"; readonly slot: bigint | null; readonly key: Sources }
  /** What another contract answered. */
  | {
      readonly from: "call";
      readonly to: Value;
      readonly data: Hex | null;
      /** The function that was asked, where it is known. */
      readonly selector: number | null;
    };
type Sources = readonly Source[];

/** A word: its value where it is known, and everything that went into it. */
export interface Value {
  readonly word: bigint | null;
  readonly sources: Sources;
  /** For conditions: what is compared. */
  readonly test?: Test;
}
type Test =
  | { readonly kind: "first_word" | "selector" | "value" | "no_value" }
  | { readonly kind: "is_selector"; readonly selector: number };

export const NO_SOURCES: Sources = [];
const MAX_SOURCES = 8;
const WORD = 1n << 256n;
const MASK = WORD - 1n;
const SIGN = 1n << 255n;
const ADDRESS_MASK = (1n << 160n) - 1n;
/** Further memory is not followed: no call that this reading looks for is prepared there. */
const MAX_MEMORY = 0x4000;

export const constant = (word: bigint): Value => ({ word, sources: NO_SOURCES });
const ZERO = constant(0n);
const ONE = constant(1n);
export const sourced = (word: bigint | null, from: Exclude<Source["from"], "storage" | "call">): Value => ({
  word,
  sources: [{ from }],
});
const UNKNOWN = sourced(null, "unknown");

function merge(...values: readonly Value[]): Sources {
  let merged = NO_SOURCES;
  for (const { sources } of values) {
    if (sources.length === 0 || sources === merged) continue;
    merged = merged.length === 0 ? sources : [...new Set([...merged, ...sources])].slice(0, MAX_SOURCES);
  }
  return merged;
}

/** Byte-wise memory in which each byte knows the word it was written from. */
export interface Memory {
  copy(): Memory;
  size(): number;
  write(offset: Value, value: Value, from?: number, length?: number): void;
  read(offset: Value): Value;
  /** Up to 32 bytes as the high end of a word. */
  readBytes(start: number, length: number): Value;
  /** The bytes of a range, where all of them are known. */
  bytes(offset: Value, length: Value): Hex | null;
  /** Writes the bytes of a known text; `sources` says where it came from. */
  writeBytes(offset: Value, data: Uint8Array, from: number, length: number, sources: Sources): void;
}

/** Which word a byte was written from, and which byte of it. */
interface Cell {
  readonly value: Value;
  readonly position: number;
}
type Cells = readonly (Cell | undefined)[];

function createMemory(shared: Cells = []): Memory {
  // Most branches end before they write, so cells are copied by the first write.
  let cells = shared;
  let own: (Cell | undefined)[] | undefined;

  const memory: Memory = {
    copy() {
      own = undefined;
      return createMemory(cells);
    },
    size: () => Math.ceil(cells.length / 32) * 32,
    write(offset, value, from = 0, length = 32) {
      if (offset.word === null || offset.word + BigInt(length) > MAX_MEMORY) return;
      own ??= cells.slice();
      cells = own;
      const start = Number(offset.word);
      while (own.length < start) own.push(undefined);
      for (let index = 0; index < length; index += 1) own[start + index] = { value, position: from + index };
    },
    read(offset) {
      if (offset.word === null || offset.word + 32n > MAX_MEMORY) return UNKNOWN;
      return memory.readBytes(Number(offset.word), 32);
    },
    readBytes(start, length) {
      const first = cells[start]?.value;
      let isWhole = first !== undefined && length === 32;
      let word: bigint | null = 0n;
      const parts = new Set<Value>();
      for (let index = 0; index < length; index += 1) {
        const cell = cells[start + index];
        if (cell?.value !== first || cell?.position !== index) isWhole = false;
        if (cell === undefined) {
          if (word !== null) word <<= 8n;
          continue;
        }
        parts.add(cell.value);
        if (word === null || cell.value.word === null) word = null;
        else word = (word << 8n) | ((cell.value.word >> BigInt(8 * (31 - cell.position))) & 0xffn);
      }
      if (isWhole && first !== undefined) return first;
      if (word !== null) word <<= BigInt(8 * (32 - length));
      return { word, sources: merge(...parts) };
    },
    bytes(offset, length) {
      if (offset.word === null || length.word === null || offset.word + length.word > MAX_MEMORY) return null;
      let hex = "";
      const end = Number(offset.word + length.word);
      for (let at = Number(offset.word); at < end; at += 32) {
        const taken = Math.min(32, end - at);
        const { word } = memory.readBytes(at, taken);
        if (word === null) return null;
        hex += toHex(word).slice(0, taken * 2);
      }
      return `0x${hex}`;
    },
    writeBytes(offset, data, from, length, sources) {
      for (let done = 0; done < length; done += 32) {
        const taken = Math.min(32, length - done);
        let word = 0n;
        for (let index = 0; index < 32; index += 1)
          word = (word << 8n) | BigInt(data[from + done + index] ?? 0);
        const at = offset.word === null ? offset : constant(offset.word + BigInt(done));
        memory.write(at, { word, sources }, 0, taken);
      }
    },
  };
  return memory;
}

const toHex = (word: bigint): string => word.toString(16).padStart(64, "0");

/** A program with the places to which it may jump (Yellow Paper, 9.4.3). */
export interface Program {
  readonly bytes: Uint8Array;
  readonly destinations: ReadonlySet<number>;
}

export function readProgram(code: Hex): Program {
  const bytes = hexToBytes(code);
  const destinations = new Set<number>();
  for (let at = 0; at < bytes.length; at += 1) {
    const opcode = bytes[at] as number;
    if (opcode === 0x5b) destinations.add(at);
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f;
  }
  return { bytes, destinations };
}

export interface State {
  at: number;
  stack: Value[];
  memory: Memory;
  /** What the last call returned; null where it is not known. */
  returned: { readonly bytes: Uint8Array | null; readonly sources: Sources };
}

export const startState = (): State => ({
  at: 0,
  stack: [],
  memory: createMemory(),
  returned: { bytes: new Uint8Array(), sources: NO_SOURCES },
});

export interface CallRequest {
  readonly kind: "call" | "callcode" | "delegatecall" | "staticcall";
  readonly to: Value;
  readonly value: Value;
  readonly offset: Value;
  readonly length: Value;
}

/** What a call gives back: null bytes for an answer that is not known, taken as one word. */
export interface CallAnswer {
  readonly success: boolean;
  readonly bytes: Uint8Array | null;
  readonly sources: Sources;
}

/** What surrounds the program. */
export interface World {
  readonly address: bigint | null;
  readonly caller: Value;
  readonly value: Value;
  /** Null where any calldata may come, of this size. */
  readonly calldata: Uint8Array | null;
  readonly calldataSize: Value;
  load(slot: Value): Value;
  store(slot: Value, value: Value): void;
  /** Undefined ends the run. */
  call(request: CallRequest, state: State): CallAnswer | undefined;
  log(state: State): void;
  create(): void;
}

export type End =
  | { readonly kind: "return" | "revert"; readonly offset: Value; readonly length: Value }
  | { readonly kind: "stop" | "invalid" | "destroy" | "ended" | "budget" }
  /** A jump whose condition is not known. */
  | { readonly kind: "fork"; readonly condition: Value; readonly destination: number };

/** Steps that a run may still take. */
export interface Budget {
  steps: number;
}

/** Runs the program from a state until it ends or does not know where to go on. Changes the state. */
export function run(program: Program, state: State, world: World, budget: Budget): End {
  const { bytes, destinations } = program;
  const { stack } = state;
  const pop = (): Value => stack.pop() ?? UNKNOWN;
  const push = (value: Value): void => {
    stack.push(value);
  };
  for (;;) {
    if (budget.steps <= 0) return { kind: "budget" };
    budget.steps -= 1;
    if (stack.length > 1024) return { kind: "invalid" };
    const opcode = bytes[state.at] ?? 0;
    state.at += 1;
    if (opcode >= 0x5f && opcode <= 0x7f) {
      let word = 0n;
      for (let index = 0; index < opcode - 0x5f; index += 1)
        word = (word << 8n) | BigInt(bytes[state.at + index] ?? 0);
      state.at += opcode - 0x5f;
      push(constant(word));
      continue;
    }
    if (opcode >= 0x80 && opcode <= 0x8f) {
      const value = stack[stack.length - (opcode - 0x7f)];
      if (value === undefined) return { kind: "invalid" };
      push(value);
      continue;
    }
    if (opcode >= 0x90 && opcode <= 0x9f) {
      const low = stack.length - 1 - (opcode - 0x8f);
      const [top, other] = [stack[stack.length - 1], stack[low]];
      if (top === undefined || other === undefined) return { kind: "invalid" };
      stack[low] = top;
      stack[stack.length - 1] = other;
      continue;
    }
    const needed = INPUTS[opcode];
    if (needed === undefined) return { kind: "invalid" };
    if (stack.length < needed) return { kind: "invalid" };
    const pure = PURE[opcode];
    if (pure !== undefined) {
      const operands: Value[] = [];
      for (let index = 0; index < needed; index += 1) operands.push(pop());
      push(compute(opcode, pure, operands));
      continue;
    }
    switch (opcode) {
      case 0x00:
        return { kind: "stop" };
      case 0x20: {
        const [offset, length] = [pop(), pop()];
        push(hashMemory(state.memory, offset, length));
        break;
      }
      case 0x30:
        push(sourced(world.address, "self"));
        break;
      case 0x31: {
        const of = pop();
        push(sourced(null, of.sources.some(({ from }) => from === "self") ? "balance" : "environment"));
        break;
      }
      case 0x32:
      case 0x33:
        push(world.caller);
        break;
      case 0x34:
        push(world.value);
        break;
      case 0x35:
        push(loadCalldata(world, pop()));
        break;
      case 0x36:
        push(world.calldataSize);
        break;
      case 0x37:
        copyCalldata(world, state.memory, pop(), pop(), pop());
        break;
      case 0x38:
        push(constant(BigInt(bytes.length)));
        break;
      case 0x39: {
        const [to, from, length] = [pop(), pop(), pop()];
        if (from.word !== null && length.word !== null && length.word <= MAX_MEMORY)
          state.memory.writeBytes(to, bytes, clamp(from.word), Number(length.word), NO_SOURCES);
        break;
      }
      case 0x3b:
        // Whether there is code is read apart: what matters here is where the call would go.
        pop();
        push(ONE);
        break;
      case 0x3c:
        stack.length -= 4;
        break;
      case 0x3d:
        push(constant(BigInt(state.returned.bytes?.length ?? 32)));
        break;
      case 0x3e:
        copyReturned(state, pop(), pop(), pop());
        break;
      case 0x3f:
      case 0x40:
      case 0x49:
        pop();
        push(sourced(null, "environment"));
        break;
      case 0x47:
        push(sourced(null, "balance"));
        break;
      case 0x46:
        push(constant(8453n));
        break;
      case 0x3a:
      case 0x41:
      case 0x42:
      case 0x43:
      case 0x44:
      case 0x45:
      case 0x48:
      case 0x4a:
        push(sourced(null, "environment"));
        break;
      case 0x50:
        pop();
        break;
      case 0x51:
        push(state.memory.read(pop()));
        break;
      case 0x52:
        state.memory.write(pop(), pop());
        break;
      case 0x53:
        state.memory.write(pop(), pop(), 31, 1);
        break;
      case 0x54:
      case 0x5c:
        push(opcode === 0x54 ? world.load(pop()) : dropped(pop()));
        break;
      case 0x55:
      case 0x5d: {
        const [slot, value] = [pop(), pop()];
        if (opcode === 0x55) world.store(slot, value);
        break;
      }
      case 0x56: {
        const to = pop();
        if (to.word === null || !destinations.has(Number(to.word))) return { kind: "invalid" };
        state.at = Number(to.word);
        break;
      }
      case 0x57: {
        const [to, condition] = [pop(), pop()];
        if (condition.word === 0n) break;
        const isValid = to.word !== null && destinations.has(Number(to.word));
        if (condition.word !== null) {
          if (!isValid) return { kind: "invalid" };
          state.at = Number(to.word);
          break;
        }
        if (!isValid) break;
        return { kind: "fork", condition, destination: Number(to.word) };
      }
      case 0x58:
        push(constant(BigInt(state.at - 1)));
        break;
      case 0x59:
        push(constant(BigInt(state.memory.size())));
        break;
      case 0x5a:
        push(constant(30_000_000n));
        break;
      case 0x5b:
        break;
      case 0x5e: {
        const [to, from, length] = [pop(), pop(), pop()];
        copyMemory(state.memory, to, from, length);
        break;
      }
      case 0xa0:
      case 0xa1:
      case 0xa2:
      case 0xa3:
      case 0xa4:
        stack.length -= needed;
        world.log(state);
        break;
      case 0xf0:
      case 0xf5:
        stack.length -= needed;
        world.create();
        push(sourced(null, "environment"));
        break;
      case 0xf1:
      case 0xf2:
      case 0xf4:
      case 0xfa: {
        pop();
        const to = pop();
        const value = opcode === 0xf1 || opcode === 0xf2 ? pop() : ZERO;
        const [offset, length, outOffset, outLength] = [pop(), pop(), pop(), pop()];
        const kind = CALLS[opcode];
        const answer = world.call({ kind, to: asAddress(to), value, offset, length }, state);
        if (answer === undefined) return { kind: "ended" };
        state.returned = { bytes: answer.bytes, sources: answer.sources };
        copyReturned(state, outOffset, ZERO, atMost(outLength, state.returned.bytes?.length ?? 32));
        push(answer.success ? ONE : ZERO);
        break;
      }
      case 0xf3:
      case 0xfd:
        return { kind: opcode === 0xf3 ? "return" : "revert", offset: pop(), length: pop() };
      case 0xff:
        return { kind: "destroy" };
      default:
        return { kind: "invalid" };
    }
  }
}

const CALLS = { 241: "call", 242: "callcode", 244: "delegatecall", 250: "staticcall" } as const;

const clamp = (word: bigint): number => (word > 0xffffffn ? 0xffffff : Number(word));
const atMost = (value: Value, limit: number): Value =>
  value.word !== null && value.word > BigInt(limit) ? constant(BigInt(limit)) : value;
const asAddress = (value: Value): Value =>
  value.word === null || value.word <= ADDRESS_MASK ? value : { ...value, word: value.word & ADDRESS_MASK };

function hashMemory(memory: Memory, offset: Value, length: Value): Value {
  const bytes = memory.bytes(offset, length);
  const sources: Source[] = [];
  if (offset.word !== null && length.word !== null && length.word <= 256n) {
    for (let at = 0n; at < length.word; at += 32n)
      sources.push(...memory.read(constant(offset.word + at)).sources);
  }
  const kept = [...new Set(sources)].slice(0, MAX_SOURCES);
  if (bytes !== null) return { word: BigInt(keccak256(bytes)), sources: kept };
  return { word: null, sources: kept.length > 0 ? kept : UNKNOWN.sources };
}

function loadCalldata({ calldata }: World, offset: Value): Value {
  if (calldata === null) {
    const value = sourced(null, "calldata");
    return offset.word === 0n ? { ...value, test: { kind: "first_word" } } : value;
  }
  if (offset.word === null) return sourced(null, "calldata");
  let word = 0n;
  const start = clamp(offset.word);
  for (let index = 0; index < 32; index += 1) word = (word << 8n) | BigInt(calldata[start + index] ?? 0);
  return sourced(word, "calldata");
}

/** Where a copy of unknown length ends, as far as it is followed. */
const UNKNOWN_LENGTH = 0x200;

function copyCalldata(world: World, memory: Memory, to: Value, from: Value, length: Value): void {
  const source = sourced(null, "calldata");
  if (world.calldata !== null && from.word !== null && length.word !== null && length.word <= MAX_MEMORY) {
    memory.writeBytes(to, world.calldata, clamp(from.word), Number(length.word), source.sources);
    return;
  }
  if (to.word === null) return;
  const taken = length.word === null || length.word > UNKNOWN_LENGTH ? UNKNOWN_LENGTH : Number(length.word);
  for (let done = 0; done < taken; done += 32)
    memory.write(constant(to.word + BigInt(done)), source, 0, Math.min(32, taken - done));
}

function copyReturned(state: State, to: Value, from: Value, length: Value): void {
  const { bytes, sources } = state.returned;
  if (length.word === null || length.word > MAX_MEMORY) return;
  if (bytes !== null && from.word !== null) {
    state.memory.writeBytes(to, bytes, clamp(from.word), Number(length.word), sources);
    return;
  }
  if (to.word === null) return;
  for (let done = 0; done < Number(length.word); done += 32)
    state.memory.write(
      constant(to.word + BigInt(done)),
      { word: null, sources },
      0,
      Math.min(32, Number(length.word) - done),
    );
}

function copyMemory(memory: Memory, to: Value, from: Value, length: Value): void {
  if (to.word === null || from.word === null || length.word === null || length.word > MAX_MEMORY) return;
  const before = memory.copy();
  for (let done = 0; done < Number(length.word); done += 32) {
    const taken = Math.min(32, Number(length.word) - done);
    const part = before.readBytes(Number(from.word) + done, taken);
    memory.write(constant(to.word + BigInt(done)), part, 0, taken);
  }
}

type Compute = (a: bigint, b: bigint, c: bigint) => bigint;
const signed = (word: bigint): bigint => (word >= SIGN ? word - WORD : word);
const flag = (value: boolean): bigint => (value ? 1n : 0n);
const PURE: Readonly<Record<number, Compute>> = {
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

function compute(opcode: number, operation: Compute, operands: readonly Value[]): Value {
  const [a, b, c] = operands;
  const words = operands.map(({ word }) => word);
  const known = words.every((word) => word !== null);
  const word = known
    ? operation(words[0] ?? 0n, words[1] ?? 0n, words[2] ?? 0n) & MASK
    : annihilated(opcode, words);
  const test = a && findTest(opcode, a, b);
  // A mask or a shift by a constant leaves the origin of the value what it is.
  const sources = word !== null && !known ? NO_SOURCES : merge(a ?? ZERO, b ?? ZERO, c ?? ZERO);
  return test ? { word, sources, test } : { word, sources };
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

/** How many words each instruction takes; undefined for what is no instruction. */
const INPUTS: (number | undefined)[] = [];
for (const [opcodes, count] of [
  [[0x00, 0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48], 0],
  [[0x4a, 0x58, 0x59, 0x5a, 0x5b, 0xfe], 0],
  [[0x15, 0x19, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x49, 0x50, 0x51, 0x54, 0x56, 0x5c, 0xff], 1],
  [[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18], 2],
  [[0x1a, 0x1b, 0x1c, 0x1d, 0x20, 0x52, 0x53, 0x55, 0x57, 0x5d, 0xa0, 0xf3, 0xfd], 2],
  [[0x08, 0x09, 0x37, 0x39, 0x3e, 0x5e, 0xa1, 0xf0], 3],
  [[0x3c, 0xa2, 0xf5], 4],
  [[0xa3], 5],
  [[0xa4, 0xf4, 0xfa], 6],
  [[0xf1, 0xf2], 7],
] as const)
  for (const opcode of opcodes) INPUTS[opcode] = count;

/** What lasts for one transaction is not followed. */
const dropped = (_slot: Value): Value => sourced(null, "environment");
