import type { Hex } from "@assay/protocol";
import { findMetadataTail } from "../code/findMetadataTail.js";
import {
  describe,
  describeBase,
  evaluateAtLength,
  hasSource,
  listLeaves,
  loadedPlace,
  type Place,
  placeOf,
} from "./expression.js";
import { findGuard, type Guard } from "./findGuard.js";
import { type Program, parseProgram } from "./program.js";
import { type Budget, run, type State, startState, type World } from "./run.js";
import { type Sources, sourced, type Value } from "./value.js";
import { type Arrival, goOn, isContradiction, listShared, type Way } from "./way.js";

export interface FoundCondition {
  readonly condition: Value;
  /** Whether one of its two outcomes always ends in a refusal. */
  readonly decides: boolean;
  /** Conditions that were met before it, the last first. */
  readonly way: Way | null;
}

export interface FoundStore {
  readonly place: Place;
  readonly value: Value;
  readonly guards: readonly Guard[];
  /** Conditions that were met on the way, the last first. */
  readonly way: Way | null;
  /** Whether another entry was written since an entry that the value is made of was read. */
  readonly isStale: boolean;
  /** How often the same place was written before on the way. */
  readonly before: number;
}

export interface FoundCall {
  readonly kind: "call" | "callcode" | "delegatecall" | "staticcall";
  readonly to: Value;
  readonly selector: number | null;
  readonly hasData: boolean;
  readonly arguments: readonly Value[];
  readonly guards: readonly Guard[];
  readonly way: Way | null;
}

export interface FoundEnding {
  readonly written: readonly Written[];
  readonly guards: readonly Guard[];
  readonly way: Way | null;
}

export interface TradeFunction {
  readonly selector: number;
  isComplete: boolean;
  readonly loads: Map<string, Place>;
  readonly stores: FoundStore[];
  readonly conditions: FoundCondition[];
  readonly calls: FoundCall[];
  /** What ways that succeed have written. */
  readonly endings: FoundEnding[];
  /** Balances of native currency of other accounts are read. */
  looksAtNative: boolean;
  /** Something after the arguments is read, or the length of the call is asked for. */
  looksAtLength: boolean;
  readonly returned: Value[];
}

/** Enough for the functions of most tokens; a function beyond it counts as not followed. */
const MAX_STEPS = 40_000;
const MAX_ALL_STEPS = 400_000;
const SLICE_STEPS = 4_000;
/** Times that one place is gone on from in one function. */
const MAX_VISITS = 24;
/** With other values. */
const MAX_VARIANTS = 16;
const MAX_RECORDS = 400;
/** Stands for calls that name no function. */
export const NO_SELECTOR = 0;
const SIZE: Sources = [{ from: "size" }];

interface Node {
  succeeds: boolean;
  readonly next: Node[];
}
/** A point that was gone on from. */
interface Visit extends Arrival {
  readonly node: Node;
}
interface Path {
  readonly state: State;
  readonly selector: number | null;
  readonly guards: readonly Guard[];
  readonly way: Way | null;
  /** Entries written so far. */
  readonly written: readonly Written[];
  readonly node: Node;
}
export interface Written {
  readonly place: Place;
  readonly key: string;
  readonly value: Value;
  readonly isStale: boolean;
}

/** Follows every function of a token apart, and notes what its outcome depends on and what it writes. */
export function* exploreTrade(code: Hex): Generator<undefined, TradeFunction[]> {
  const parsed = parseProgram(code);
  let isAstray = false;
  const program = watchTail(parsed, () => {
    isAstray = true;
  });
  const found = new Map<number, TradeFunction>();
  const forks: {
    readonly selector: number;
    readonly condition: Value;
    readonly ways: readonly [Node, Node];
    /** Whether both outcomes are possible: a condition that was met before decides nothing anew. */
    readonly isOpen: boolean;
    readonly way: Way | null;
  }[] = [];
  const steps = new Map<number | null, number>();
  const visits = new Map<string, Visit>();
  const counts = new Map<string, number>();
  const waiting: Path[] = [
    { state: startState(), selector: null, guards: [], way: null, written: [], node: newNode() },
  ];
  let [all, slice] = [0, 0];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { selector } = path;
    const one = getFunction(found, selector ?? NO_SELECTOR);
    const used = steps.get(selector) ?? 0;
    if (used >= MAX_STEPS || all >= MAX_ALL_STEPS) {
      one.isComplete = false;
      path.node.succeeds = true;
      continue;
    }
    const written = [...path.written];
    const budget: Budget = { steps: SLICE_STEPS };
    const end = run(program, path.state, createWorld(one, path, written), budget);
    if (isAstray) one.isComplete = false;
    isAstray = false;
    const taken = SLICE_STEPS - budget.steps;
    steps.set(selector, used + taken);
    all += taken;
    slice += taken;
    if (slice >= SLICE_STEPS) {
      slice = 0;
      yield;
    }
    if (end.kind === "budget") waiting.push({ ...path, written });
    if (end.kind === "stop" || end.kind === "return" || end.kind === "destroy") {
      path.node.succeeds = true;
      if (written.length > 0 && one.endings.length < MAX_RECORDS)
        one.endings.push({ written, guards: path.guards, way: path.way });
      if (end.kind === "return" && one.returned.length < MAX_RECORDS)
        one.returned.push(path.state.memory.read(end.offset));
    }
    if (end.kind !== "fork") continue;
    const { condition, destination } = end;
    let isOpen = true;
    const ways = [false, true].map((outcome): Node => {
      if (isContradiction(path.way, condition, outcome)) {
        isOpen = false;
        return newNode();
      }
      const test = condition.test;
      const next = outcome && test?.kind === "is_selector" ? test.selector : selector;
      const guard = findGuard(condition, outcome);
      const branch: Path = {
        state: outcome ? jump(path.state, destination) : path.state,
        selector: next,
        guards: guard === null || path.guards.includes(guard) ? path.guards : [...path.guards, guard],
        way: goOn(next === selector ? path.way : null, condition, outcome),
        written,
        node: newNode(),
      };
      const key = describeBranch(parsed, branch);
      const own = `${key}:${describeStack(branch.state)}`;
      const known = visits.get(own);
      const shared = known && listShared(known, branch.way);
      if (known && shared === known.way) return known.node;
      const place = `${next}:${branch.state.at}`;
      const count = counts.get(place) ?? 0;
      // The same with other values: what is written later may be made of them.
      const variants = counts.get(key) ?? 0;
      if (!known && variants >= MAX_VARIANTS) return visits.get(key)?.node as Node;
      if (!known && count >= MAX_VISITS && variants === 0) {
        // Only loops come here so often: their body was followed with every way into it that was found so far.
        if (next !== null && count >= MAX_VISITS * 4) getFunction(found, next).isComplete = false;
        counts.set(place, count + 1);
        branch.node.succeeds = true;
        return branch.node;
      }
      if (variants === 0) {
        counts.set(place, count + 1);
        visits.set(key, { node: branch.node, way: branch.way, meetings: 0 });
      }
      if (!known) counts.set(key, variants + 1);
      // Where two ways meet, only what both have in common is known from there on.
      const way = known ? (shared ?? null) : branch.way;
      visits.set(own, { node: branch.node, way, meetings: (known?.meetings ?? 0) + (known ? 1 : 0) });
      waiting.push({ ...branch, way });
      return branch.node;
    }) as [Node, Node];
    path.node.next.push(...ways);
    if (selector !== null) forks.push({ selector, condition, ways, isOpen, way: path.way });
  }
  settle([...forks.flatMap(({ ways }) => ways)]);
  for (const { selector, condition, ways, isOpen, way } of forks) {
    const one = found.get(selector);
    if (one && isOpen && one.conditions.length < MAX_RECORDS)
      one.conditions.push({ condition, decides: ways[0].succeeds !== ways[1].succeeds, way });
  }
  return [...found.values()];
}

/** The program, with word of every jump into what stands for metadata: no compiler makes one, and its bytes are not read as code. */
function watchTail(program: Program, note: () => void): Program {
  const tail = findMetadataTail(program.bytes);
  if (tail === null || ![...program.destinations].some((at) => at >= tail)) return program;
  const destinations = new Set(program.destinations);
  destinations.has = (at) => {
    if (at >= tail && program.destinations.has(at)) note();
    return program.destinations.has(at);
  };
  return { bytes: program.bytes, destinations };
}

const newNode = (): Node => ({ succeeds: false, next: [] });

/** A branch succeeds where one that it leads to does. */
function settle(nodes: readonly Node[]): void {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const node of nodes)
      if (!node.succeeds && node.next.some(({ succeeds }) => succeeds)) {
        node.succeeds = true;
        isChanged = true;
      }
  }
}

const jump = (state: State, at: number): State => ({
  at,
  stack: state.stack.slice(),
  memory: state.memory.copy(),
  returned: state.returned,
});

/** Ways of which something different may follow are followed apart. */
function describeBranch(program: Program, { state, selector, guards, way, written }: Path): string {
  const returns = state.stack
    .filter(({ word }) => word !== null && word > 0x20n && program.destinations.has(Number(word)))
    .map(({ word }) => word);
  return [
    selector,
    state.at,
    state.stack.length,
    returns.join(),
    guards.join(),
    (way?.timed ?? []).join(),
    written.map(({ key }) => key).join(),
  ].join(":");
}

const describeStack = ({ stack }: State): string => stack.map((value) => describe(value)).join();

function getFunction(found: Map<number, TradeFunction>, selector: number): TradeFunction {
  const one = found.get(selector) ?? {
    selector,
    isComplete: true,
    loads: new Map(),
    stores: [],
    conditions: [],
    calls: [],
    endings: [],
    looksAtNative: false,
    looksAtLength: false,
    returned: [],
  };
  found.set(selector, one);
  return one;
}

/** Where the arguments of functions end that a trade runs. */
const ENDS: Readonly<Record<number, bigint>> = {
  2835717307: 68n,
  157198259: 68n,
  599290589: 100n,
  1889567281: 36n,
  3714247998: 68n,
};

/** Of them, before the function is known. */
const SHORTEST = 36n;

function createWorld(found: TradeFunction, path: Path, written: Written[]): World {
  const noteLength = () => {
    found.looksAtLength = true;
  };
  return {
    address: null,
    caller: sourced(null, "caller"),
    value: { ...sourced(null, "value"), test: { kind: "value" } },
    calldata: null,
    calldataSize: { word: 0x804n, sources: SIZE },
    load: (slot) => {
      const place = placeOf(slot);
      found.loads.set(`${describeBase(place)}:${place.keys.map((key) => describe(key)).join()}`, place);
      return {
        word: null,
        sources: [{ from: "storage", slot: slot.word, key: slot.sources }],
        // How much was written when it was read tells whether it is still so.
        of: { opcode: 0x54, operands: [slot, { word: BigInt(written.length), sources: [] }] },
      };
    },
    store: (slot, value) => {
      const place = placeOf(slot);
      const key = nameEntry(place);
      const stale = isStale(place, key, value, written);
      if (found.stores.length < MAX_RECORDS)
        found.stores.push({
          place,
          value,
          guards: path.guards,
          way: path.way,
          isStale: stale,
          before: written.filter((one) => one.key === key).length,
        });
      written.push({ place, key, value, isStale: stale });
    },
    call: (request, state) => {
      const { offset, length, kind, to } = request;
      const read = (at: bigint): Value =>
        offset.word === null
          ? sourced(null, "unknown")
          : state.memory.read({ word: offset.word + at, sources: [] });
      const first =
        offset.word === null || length.word === 0n ? null : state.memory.readBytes(Number(offset.word), 4);
      const selector = first === null || first.word === null ? null : Number(first.word >> 224n);
      if (found.calls.length < MAX_RECORDS)
        found.calls.push({
          kind,
          to,
          selector,
          hasData: length.word !== 0n,
          arguments: [read(4n), read(36n)],
          guards: path.guards,
          way: path.way,
        });
      return { success: true, bytes: null, sources: [{ from: "call", to, data: null, selector }] };
    },
    decide: (condition) => {
      const least = ENDS[found.selector] ?? SHORTEST;
      if (hasSource(condition, "size") && !isLengthCheck(condition, least)) noteLength();
    },
    loadCalldata: (offset) => {
      const end = ENDS[found.selector];
      if (end !== undefined && (offset.word === null || offset.word >= end)) noteLength();
    },
    native: () => {
      found.looksAtNative = true;
    },
    log: () => undefined,
    create: () => undefined,
  };
}

/**
 * A compiler checks that the arguments are there before they are read. Such a check has the same outcome for a call that ends with its
 * arguments and for the longer one that is followed here.
 */
function isLengthCheck(condition: Value, least: bigint): boolean {
  const shorter = evaluateAtLength(condition, least);
  return shorter !== null && condition.word !== null && (shorter === 0n) === (condition.word === 0n);
}

/** The same for equal entries alone. */
export const nameEntry = ({ base, keys }: Place): string =>
  `${base}:${keys.map((one) => describe(one)).join()}`;

/** Whether the value is made of an entry that was read before another entry of the same mapping was written. */
function isStale(place: Place, key: string, value: Value, written: readonly Written[]): boolean {
  if (place.keys.length === 0) return false;
  return listLeaves(value).some((leaf) => {
    const read = loadedPlace(leaf);
    if (read === null || read.base !== place.base) return false;
    if (nameEntry(read) !== key) return false;
    const seen = Number(leaf.of?.operands[1]?.word ?? 0n);
    return written.slice(seen).some((one) => one.place.base === place.base && one.key !== key);
  });
}
