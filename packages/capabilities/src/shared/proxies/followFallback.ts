import { type Hex, keccak256 } from "@assay/protocol";
import { concat, hexToBytes, slice, stringToHex } from "viem";
import { type DelegationOrigin, findOrigin, findSlot } from "../machine/exploreCode.js";
import { parseProgram } from "../machine/program.js";
import {
  type CallAnswer,
  type CallRequest,
  run,
  type State,
  startState,
  type World,
} from "../machine/run.js";
import { constant, NO_SOURCES, type Source, sourced, type Value } from "../machine/value.js";

/** A question of one contract to another, and the answer. */
export interface AskedCall {
  readonly to: Hex;
  readonly data: Hex;
}
export interface CallResult {
  readonly success: boolean;
  readonly data: Hex;
}

/** What was read of the chain so far. */
export interface KnownState {
  /** Words by slot. */
  readonly slots: ReadonlyMap<Hex, Hex>;
  /** Answers by `callKey`. */
  readonly calls: ReadonlyMap<string, CallResult>;
}
export const callKey = ({ to, data }: AskedCall): string => `${to}:${data}`;

export type FallbackOutcome =
  /** The call ends in this code. */
  | { readonly status: "ends" }
  | {
      readonly status: "delegates";
      readonly origin: DelegationOrigin;
      readonly target: Hex;
      readonly slot: Hex | null;
      readonly asked: AskedCall | null;
    }
  /** To go on, these must be read. */
  | { readonly status: "needs"; readonly slots: readonly Hex[]; readonly calls: readonly AskedCall[] }
  /** It depends on something that is in neither storage nor an answer. */
  | { readonly status: "unresolved" };

const MAX_STEPS = 20_000;
const MAX_BRANCHES = 32;

/**
 * Runs the code with a call to an unknown function, and says to whom it is passed on. That is what proxies
 * do with calls, whichever layout they keep the address in.
 */
export function followFallback(code: Hex, address: Hex, known: KnownState): FallbackOutcome {
  const program = parseProgram(code);
  const calldata = hexToBytes(concat([nameNothing(address), `0x${"00".repeat(64)}`]));
  const budget = { steps: MAX_STEPS };
  const needs = { slots: new Set<Hex>(), calls: new Map<string, AskedCall>() };
  const found: CallRequest[] = [];
  const waiting: State[] = [startState()];
  let isUnclear = false;
  for (let branches = 0; waiting.length > 0; branches += 1) {
    const state = waiting.pop() as State;
    const world = createWorld(address, calldata, known, needs, (request) => found.push(request));
    const end = run(program, state, world, budget);
    if (end.kind === "budget" || branches > MAX_BRANCHES) return { status: "unresolved" };
    if (end.kind === "fork") {
      // What is still to be read decides the branch in the next round.
      if (needs.slots.size + needs.calls.size > 0) break;
      const { memory, returned, stack } = state;
      waiting.push(state, { at: end.destination, stack: stack.slice(), memory: memory.copy(), returned });
    }
    if (end.kind === "ended" && found.length === 0) isUnclear = true;
  }
  if (needs.slots.size + needs.calls.size > 0)
    return { status: "needs", slots: [...needs.slots], calls: [...needs.calls.values()] };
  const targets = new Set(found.map(({ to }) => to.word));
  const [request] = found;
  if (request === undefined) return { status: isUnclear ? "unresolved" : "ends" };
  if (targets.size > 1 || request.to.word === null) return { status: "unresolved" };
  return {
    status: "delegates",
    origin: findOrigin(request.to),
    target: toAddress(request.to.word),
    slot: findSlot(request.to),
    asked: findAsked(request.to),
  };
}

/** Four bytes that name no function, different for each contract so that none can be prepared for them. */
const nameNothing = (address: Hex): Hex =>
  slice(keccak256(concat([address, stringToHex("no function")])), 0, 4);

/** Nobody in particular; neither zero nor small, which some proxies treat as their admin. */
const SOMEBODY = 0x5a17c3d29b8e64f0a1b2c3d4e5f60718293a4b5cn;

const toAddress = (word: bigint): Hex => `0x${word.toString(16).padStart(40, "0")}`;

function findAsked({ sources }: Value): AskedCall | null {
  const call = sources.findLast((source) => source.from === "call");
  if (call?.from !== "call" || call.to.word === null || call.data === null) return null;
  return { to: toAddress(call.to.word), data: call.data };
}

function createWorld(
  address: Hex,
  calldata: Uint8Array,
  known: KnownState,
  needs: { readonly slots: Set<Hex>; readonly calls: Map<string, AskedCall> },
  noteDelegation: (request: CallRequest) => void,
): World {
  const written = new Map<bigint, Value>();
  return {
    address: BigInt(address),
    caller: sourced(SOMEBODY, "caller"),
    value: constant(0n),
    calldata,
    calldataSize: constant(BigInt(calldata.length)),
    load(slot) {
      const before = slot.word === null ? undefined : written.get(slot.word);
      if (before !== undefined) return before;
      const source: Source = { from: "storage", slot: slot.word, key: slot.sources };
      if (slot.word === null) return { word: null, sources: [source] };
      const name: Hex = `0x${slot.word.toString(16).padStart(64, "0")}`;
      const word = known.slots.get(name);
      if (word === undefined) needs.slots.add(name);
      return { word: word === undefined ? null : BigInt(word), sources: [source] };
    },
    store(slot, value) {
      if (slot.word !== null) written.set(slot.word, value);
    },
    log: () => {},
    create: () => {},
    call(request, state) {
      if (request.kind === "delegatecall" || request.kind === "callcode") {
        noteDelegation(request);
        return undefined;
      }
      return answerCall(request, state, known, needs.calls);
    },
  };
}

const IDENTITY = 4n;

function answerCall(
  { to, offset, length }: CallRequest,
  state: State,
  known: KnownState,
  needed: Map<string, AskedCall>,
): CallAnswer | undefined {
  const data = state.memory.bytes(offset, length);
  if (to.word === null || data === null) return undefined;
  if (to.word === IDENTITY) return { success: true, bytes: hexToBytes(data), sources: NO_SOURCES };
  const asked: AskedCall = { to: toAddress(to.word), data };
  const result = known.calls.get(callKey(asked));
  if (result === undefined) {
    needed.set(callKey(asked), asked);
    return undefined;
  }
  const source: Source = { from: "call", to, data, selector: null };
  return { success: result.success, bytes: hexToBytes(result.data), sources: [source] };
}
