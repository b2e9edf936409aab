import type { Hex } from "@assay/protocol";
import { listDelegationSites } from "../code/listDelegatingOpcodes.js";
import { isDigest } from "./arithmetic.js";
import { type Program, parseProgram } from "./program.js";
import { type Budget, type CallRequest, run, type State, startState, type World } from "./run.js";
import { constant, type Source, sourced, type Value } from "./value.js";

/** Where the address that a program delegates to comes from. */
export type DelegationOrigin =
  /** Written in the code: a linked library or an immutable. */
  | "code"
  /** The contract itself, as `multicall` does. */
  | "self"
  /** Chosen by the caller, as in an account's `execute`. */
  | "caller"
  | "storage"
  /** Another contract's answer. */
  | "call"
  | "unknown";

export interface FoundDelegation {
  readonly origin: DelegationOrigin;
  /** Whether calls that the program does not know by name are passed on. */
  readonly isFallback: boolean;
  /** The slot that holds the address, where it is the same for every call. */
  readonly slot: Hex | null;
}

/** What one function, or the program without one (null), was seen doing on any of its paths. */
export interface FoundFunction {
  readonly selector: number | null;
  /** Succeeds with ether. */
  takesEther: boolean;
  ends: boolean;
  /** Gives back something that a caller can read. */
  returns: boolean;
  stores: boolean;
  logs: boolean;
  /** Calls that are neither views nor listed below. */
  calls: boolean;
  delegates: boolean;
  /** A condition compares the caller. */
  checksCaller: boolean;
  /** A condition depends on a hash of what is not known before the call, or such a hash is stored. */
  checksDigest: boolean;
  /** Sends all the ether that came with the call, or that it has, to an account fixed in code or storage. */
  forwardsEther: boolean;
  /** Takes tokens that the caller approved, to a fixed account. */
  pullsFromCaller: boolean;
  /** The same, with the amount that the caller has or has approved. */
  pullsAllFromCaller: boolean;
  /** Takes tokens of any holder named in the call, to a fixed account. */
  pullsFromAnyone: boolean;
  /** Sends the ether, or all that it holds of a token, to an account written in the code. */
  sweeps: boolean;
}

export interface Exploration {
  /** False where the program has more paths than were followed. */
  readonly isComplete: boolean;
  /** Whether an instruction that delegates was left out. */
  readonly hasUnseenDelegation: boolean;
  readonly delegations: readonly FoundDelegation[];
  readonly functions: readonly FoundFunction[];
}

/** Enough for nearly every contract of the size limit. */
const MAX_STEPS = 100_000;
/** Some ten milliseconds. */
const SLICE_STEPS = 4_000;
/** Times that one place is gone on from with other return addresses, within one function. */
const MAX_VISITS = 6;

type NoteDelegation = (delegation: FoundDelegation, at: number) => void;

interface Path {
  readonly state: State;
  readonly selector: number | null;
  readonly hasValue: boolean | null;
}

/** Follows every path of a program for any call, as far as the budget goes. */
export function exploreCode(code: Hex): Exploration {
  const slices = exploreInSlices(code);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/**
 * The same in slices of some milliseconds, for a process that has others to answer in between. Of a program with many paths, some
 * functions may be followed alone.
 */
export function* exploreInSlices(
  code: Hex,
  only: ReadonlySet<number> | null = null,
): Generator<undefined, Exploration> {
  const program = parseProgram(code);
  const budget = { steps: MAX_STEPS };
  const functions = new Map<number | null, FoundFunction>();
  const delegations = new Map<string, FoundDelegation>();
  const seen = new Set<number>();
  const note = (delegation: FoundDelegation, at: number) => {
    seen.add(at);
    delegations.set(JSON.stringify(delegation), delegation);
  };
  // Plain ether first: it has few paths. Then any call.
  let isComplete = true;
  for (const size of [0n, 0x804n]) {
    const isWhole = yield* explorePaths(program, size, budget, functions, note, only);
    isComplete &&= isWhole;
  }
  return {
    isComplete,
    hasUnseenDelegation: !isComplete && listDelegationSites(code).some((at) => !seen.has(at)),
    delegations: [...delegations.values()],
    functions: [...functions.values()],
  };
}

function* explorePaths(
  program: Program,
  calldataSize: bigint,
  budget: Budget,
  functions: Map<number | null, FoundFunction>,
  noteDelegation: NoteDelegation,
  only: ReadonlySet<number> | null,
): Generator<undefined, boolean> {
  const visits = new Map<string, number>();
  const waiting: Path[] = [{ state: startState(), selector: null, hasValue: null }];
  let sliceSteps = 0;
  for (;;) {
    const path = waiting.pop();
    if (path === undefined) return true;
    const found = getFunction(functions, path.selector);
    const world = createWorld(calldataSize, found, noteDelegation);
    const own = { steps: Math.min(SLICE_STEPS, budget.steps) };
    const given = own.steps;
    const end = run(program, path.state, world, own);
    budget.steps -= given - own.steps;
    sliceSteps += given - own.steps;
    if (sliceSteps >= SLICE_STEPS) {
      sliceSteps = 0;
      yield;
    }
    if (end.kind === "budget") {
      if (budget.steps <= 0) return false;
      waiting.push(path);
    }
    if (end.kind === "stop" || end.kind === "return" || end.kind === "destroy") {
      found.ends = true;
      if (path.hasValue !== false) found.takesEther = true;
      if (end.kind === "return" && end.length.word !== 0n) found.returns = true;
    }
    if (end.kind !== "fork") continue;
    if (end.condition.sources.some(({ from }) => from === "caller")) found.checksCaller = true;
    if (isDigest(end.condition)) found.checksDigest = true;
    const branches = listBranches(program, path, end.condition, end.destination, visits);
    waiting.push(...branches.filter(({ selector }) => selector === null || (only?.has(selector) ?? true)));
  }
}

function listBranches(
  program: Program,
  { state, selector, hasValue }: Path,
  { test }: Value,
  destination: number,
  visits: Map<string, number>,
): Path[] {
  const jumped: State = {
    at: destination,
    stack: state.stack.slice(),
    memory: state.memory.copy(),
    returned: state.returned,
  };
  const ifValue = test?.kind === "value" ? true : test?.kind === "no_value" ? false : null;
  const branches: Path[] = [
    { state, selector, hasValue: ifValue === null ? hasValue : !ifValue },
    {
      state: jumped,
      selector: test?.kind === "is_selector" ? test.selector : selector,
      hasValue: ifValue ?? hasValue,
    },
  ];
  return branches.filter((branch) => {
    if (ifValue !== null && hasValue !== null && branch.hasValue !== hasValue) return false;
    const key = describePlace(program, branch);
    const place = `${branch.selector}:${branch.state.at}`;
    const count = visits.get(place) ?? 0;
    if (visits.has(key) || count >= MAX_VISITS) return false;
    visits.set(key, 1);
    visits.set(place, count + 1);
    return true;
  });
}

/** Where a path stands: its place, its function, and the places to which it will return. */
function describePlace(program: Program, { state, selector, hasValue }: Path): string {
  const returns = state.stack
    .filter(({ word }) => word !== null && word > 0x20n && program.destinations.has(Number(word)))
    .map(({ word }) => word);
  return `${selector}:${hasValue}:${state.at}:${state.stack.length}:${returns.join()}`;
}

function getFunction(functions: Map<number | null, FoundFunction>, selector: number | null): FoundFunction {
  const found = functions.get(selector) ?? {
    selector,
    takesEther: false,
    ends: false,
    returns: false,
    stores: false,
    logs: false,
    calls: false,
    delegates: false,
    checksCaller: false,
    checksDigest: false,
    forwardsEther: false,
    pullsFromCaller: false,
    pullsAllFromCaller: false,
    pullsFromAnyone: false,
    sweeps: false,
  };
  functions.set(selector, found);
  return found;
}

function createWorld(calldataSize: bigint, found: FoundFunction, noteDelegation: NoteDelegation): World {
  return {
    address: null,
    caller: sourced(null, "caller"),
    value: { ...sourced(null, "value"), test: { kind: "value" } },
    calldata: calldataSize === 0n ? new Uint8Array() : null,
    calldataSize: constant(calldataSize),
    load: (slot) => ({
      word: null,
      sources: [{ from: "storage", slot: slot.word, key: slot.sources }],
    }),
    store: (_, value) => {
      found.stores = true;
      if (isDigest(value)) found.checksDigest = true;
    },
    log: () => {
      found.logs = true;
    },
    create: () => {
      found.calls = true;
    },
    call: (request, state) => {
      const data = state.memory.bytes(request.offset, request.length);
      const selector = findSelector(request, state);
      const answer: Source = { from: "call", to: request.to, data, selector };
      if (request.kind === "delegatecall" || request.kind === "callcode") {
        const [origin, slot] = [findOrigin(request.to), findSlot(request.to)];
        noteDelegation({ origin, isFallback: found.selector === null, slot }, state.at - 1);
        found.delegates = true;
      } else if (request.kind === "call") {
        noteCall(found, request, selector, state);
      }
      return { success: true, bytes: null, sources: [answer] };
    },
  };
}

export function findOrigin({ word, sources }: Value): DelegationOrigin {
  const has = (from: Source["from"]): boolean => sources.some((source) => source.from === from);
  if (has("call")) return "call";
  if (has("storage")) return "storage";
  if (has("calldata") || has("caller")) return "caller";
  if (has("self")) return "self";
  return word !== null && sources.length === 0 ? "code" : "unknown";
}

/** The one slot that a value was read from, where it is the same for every call. */
export function findSlot({ sources }: Value): Hex | null {
  const found = sources.flatMap((source) => (source.from === "storage" ? [source] : []));
  const [source] = found;
  if (source === undefined || found.length > 1 || source.slot === null) return null;
  const depends = source.key.some(({ from }) => from === "calldata" || from === "caller");
  return depends ? null : `0x${source.slot.toString(16).padStart(64, "0")}`;
}

/** Fixed before the call is made: a constant or immutable, or a storage slot that does not depend on the call. */
function isFixed({ word, sources }: Value): boolean {
  if (word !== null) return word > 0xffffn && sources.length === 0;
  return (
    sources.length > 0 &&
    sources.every((source) => source.from === "storage" && source.slot !== null && source.key.length === 0)
  );
}
const comesFrom = ({ sources }: Value, ...origins: readonly Source["from"][]): boolean =>
  sources.some(({ from }) => origins.includes(from));

/** `balanceOf(address)` and `allowance(address,address)`. */
const HOLDINGS: readonly (number | null)[] = [0x70a08231, 0xdd62ed3e];

/** All that somebody has or has approved, and nothing else went into it. */
const isHolding = ({ sources }: Value): boolean =>
  sources.length > 0 &&
  sources.every((source) => source.from === "call" && HOLDINGS.includes(source.selector));

const TRANSFER_FROM = new Set([
  0x23b872dd, // transferFrom(address,address,uint256)
  0x42842e0e, // safeTransferFrom(address,address,uint256)
  0xb88d4fde, // safeTransferFrom(address,address,uint256,bytes)
  0xf242432a, // safeTransferFrom(address,address,uint256,uint256,bytes)
  0x36c78516, // Permit2 transferFrom(address,address,uint160,address)
]);
const TRANSFER = 0xa9059cbb;

function findSelector({ offset, length }: CallRequest, { memory }: State): number | null {
  if (offset.word === null || length.word === 0n || offset.word > 0xffffn) return null;
  const { word } = memory.readBytes(Number(offset.word), 4);
  return word === null ? null : Number(word >> 224n);
}

function noteCall(
  found: FoundFunction,
  { to, value, offset, length }: CallRequest,
  selector: number | null,
  state: State,
): void {
  const argument = (index: number): Value =>
    offset.word === null
      ? sourced(null, "unknown")
      : state.memory.read(constant(offset.word + 4n + BigInt(32 * index)));
  if (comesFrom(value, "value", "balance") && isFixed(to) && length.word === 0n) {
    found.forwardsEther = true;
    if (to.word !== null) found.sweeps = true;
    return;
  }
  if (selector !== null && TRANSFER_FROM.has(selector)) {
    const [holder, receiver, amount] = [argument(0), argument(1), argument(2)];
    if (isFixed(receiver)) {
      if (comesFrom(holder, "calldata")) found.pullsFromAnyone = true;
      else if (comesFrom(holder, "caller")) {
        found.pullsFromCaller = true;
        if (isHolding(amount)) found.pullsAllFromCaller = true;
      }
      return;
    }
  }
  if (selector === TRANSFER && isFixed(argument(0)) && isHolding(argument(1))) {
    if (argument(0).word !== null) found.sweeps = true;
  }
  found.calls = true;
}
