import { type Hex, keccak256 } from "@assay/protocol";
import { compute, PURE } from "./arithmetic.js";
import { clamp, copyCalldata, copyMemory, copyReturned } from "./copies.js";
import { createMemory, MAX_MEMORY, type Memory } from "./memory.js";
import { INPUTS, type Program } from "./program.js";
import {
  constant,
  MAX_SOURCES,
  NO_SOURCES,
  ONE,
  type Source,
  type Sources,
  sourced,
  UNKNOWN,
  type Value,
  ZERO,
} from "./value.js";

const NATIVE: Sources = [{ from: "environment", what: "native" }];
const TIME: Sources = [{ from: "environment", what: "time" }];
const NUMBER: Sources = [{ from: "environment", what: "number" }];
const ADDRESS_MASK = (1n << 160n) - 1n;
const PLENTY = constant(30_000_000n);

export interface State {
  at: number;
  stack: Value[];
  memory: Memory;
  /** What the last call returned; null where it is not known. */
  returned: { readonly bytes: Uint8Array | null; readonly sources: Sources; readonly size?: Value };
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
  /** What stands for its success, and for the length of its answer, where either may turn out otherwise. */
  readonly outcome?: Value;
  readonly size?: Value;
}

/** What surrounds the program. */
export interface World {
  readonly address: bigint | null;
  readonly caller: Value;
  readonly value: Value;
  /** Null where any calldata may come, of this size. */
  readonly calldata: Uint8Array | null;
  readonly calldataSize: Value;
  /** What is left of the gas; plenty where it is left out. */
  readonly gas?: Value;
  load(slot: Value): Value;
  store(slot: Value, value: Value): void;
  /** Undefined ends the run. */
  call(request: CallRequest, state: State): CallAnswer | undefined;
  /** Of bytes that are known. */
  hash?(bytes: Hex, word: bigint): void;
  loadCalldata?(offset: Value): void;
  /** The native currency of another account is read. */
  native?(): void;
  /** A jump whose condition is known and came from outside the code. */
  decide?(condition: Value): void;
  log(state: State): void;
  create(): void;
  /** The size of an account's code is asked for, which counts as not zero. */
  look?(of: Value): void;
  /** Something depends on what is not followed: a jump or a write to an unknown place, or the size of memory. */
  lose?(): void;
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
        const hash = hashMemory(state.memory, offset, length);
        const bytes = hash.word === null ? null : state.memory.bytes(offset, length);
        if (bytes !== null && hash.word !== null) world.hash?.(bytes, hash.word);
        push(hash);
        break;
      }
      case 0x30:
        push(sourced(world.address, "self"));
        break;
      case 0x31: {
        const of = pop();
        const isOwn = of.sources.some(({ from }) => from === "self");
        if (!isOwn) world.native?.();
        push(
          isOwn ? sourced(null, "balance") : { word: null, sources: NATIVE, of: { opcode, operands: [of] } },
        );
        break;
      }
      case 0x32:
      case 0x33:
        push(world.caller);
        break;
      case 0x34:
        push(world.value);
        break;
      case 0x35: {
        const offset = pop();
        world.loadCalldata?.(offset);
        push(loadCalldata(world, offset));
        break;
      }
      case 0x36:
        push(world.calldataSize);
        break;
      case 0x37:
        if (stack.at(-1)?.word == null) world.lose?.();
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
      case 0x3b: {
        // Whether there is code is read apart: what matters here is where the call would go.
        const of = pop();
        world.look?.(of);
        push(ONE);
        break;
      }
      case 0x3c:
        stack.length -= 4;
        break;
      case 0x3d:
        push(state.returned.size ?? constant(BigInt(state.returned.bytes?.length ?? 32)));
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
      case 0x42:
        push({ word: null, sources: TIME });
        break;
      case 0x43:
        push({ word: null, sources: NUMBER });
        break;
      case 0x3a:
      case 0x41:
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
      case 0x53:
        if (stack.at(-1)?.word == null) world.lose?.();
        if (opcode === 0x52) state.memory.write(pop(), pop());
        else state.memory.write(pop(), pop(), 31, 1);
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
        if (to.word === null) world.lose?.();
        if (to.word === null || !destinations.has(Number(to.word))) return { kind: "invalid" };
        state.at = Number(to.word);
        break;
      }
      case 0x57: {
        const [to, condition] = [pop(), pop()];
        if (to.word === null) world.lose?.();
        if (condition.word !== null && condition.sources.length > 0) world.decide?.(condition);
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
        world.lose?.();
        push(constant(BigInt(state.memory.size())));
        break;
      case 0x5a:
        push(world.gas ?? PLENTY);
        break;
      case 0x5b:
        break;
      case 0x5e: {
        const [to, from, length] = [pop(), pop(), pop()];
        if ([to, from, length].some(({ word }) => word === null)) world.lose?.();
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
        const { bytes: returned, sources, size } = answer;
        state.returned = { bytes: returned, sources, ...(size && { size }) };
        copyReturned(state, outOffset, ZERO, atMost(outLength, state.returned.bytes?.length ?? 32));
        push(answer.outcome ?? (answer.success ? ONE : ZERO));
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

const atMost = (value: Value, limit: number): Value =>
  value.word !== null && value.word > BigInt(limit) ? constant(BigInt(limit)) : value;
const asAddress = (value: Value): Value =>
  value.word === null || value.word <= ADDRESS_MASK ? value : { ...value, word: value.word & ADDRESS_MASK };

/** A word of memory, or its beginning. */
const readPart = (memory: Memory, start: number, taken: number): Value =>
  taken === 32 ? memory.read(constant(BigInt(start))) : memory.readBytes(start, taken);

function hashMemory(memory: Memory, offset: Value, length: Value): Value {
  const bytes = memory.bytes(offset, length);
  const sources: Source[] = [];
  const words: Value[] = [];
  if (offset.word !== null && length.word !== null && length.word <= 256n) {
    for (let done = 0; done < Number(length.word); done += 32)
      words.push(readPart(memory, clamp(offset.word) + done, Math.min(32, Number(length.word) - done)));
    sources.push(...words.flatMap((word) => word.sources));
  }
  const kept = [...new Set(sources)].slice(0, MAX_SOURCES);
  const of = { opcode: 0x20, operands: words };
  if (bytes !== null) return { word: BigInt(keccak256(bytes)), sources: kept, of };
  return { word: null, sources: kept.length > 0 ? kept : UNKNOWN.sources, disguise: "digest", of };
}

function loadCalldata({ calldata }: World, offset: Value): Value {
  if (calldata === null) {
    const value: Value =
      offset.word === null
        ? sourced(null, "calldata")
        : { word: null, sources: [{ from: "calldata", at: offset.word }] };
    return offset.word === 0n ? { ...value, test: { kind: "first_word" } } : value;
  }
  if (offset.word === null) return sourced(null, "calldata");
  let word = 0n;
  const start = clamp(offset.word);
  for (let index = 0; index < 32; index += 1) word = (word << 8n) | BigInt(calldata[start + index] ?? 0);
  return sourced(word, "calldata");
}

/** What lasts for one transaction is not followed. */
const dropped = (_slot: Value): Value => sourced(null, "environment");
