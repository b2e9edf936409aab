import type { Hex } from "@assay/protocol";
import { hexToBytes, pad } from "viem";
import { parseProgram } from "./program.js";
import { run, type State, startState, type World } from "./run.js";
import { constant, UNKNOWN, type Value, ZERO } from "./value.js";

/** Enough for a constructor that writes some hundred accounts. */
const MAX_STEPS = 200_000;
/** Conditions that a constructor may have on other contracts or the block. */
const MAX_FORKS = 64;

export interface FoundCreation {
  /** False where it has more steps or ways than were followed. */
  readonly isComplete: boolean;
  /** Accounts for which it writes into a mapping at one of the slots. */
  readonly accounts: readonly Hex[];
  /** What it lets others spend, in mappings of mappings. */
  readonly grants: readonly { readonly holder: Hex; readonly spender: Hex }[];
}

export interface CreationPlaces {
  /** Slots of mappings of what accounts have. */
  readonly balances: readonly bigint[];
  /** Slots of mappings of what they let others spend. */
  readonly allowances: readonly bigint[];
  /** The pair that an exchange makes for the token, where it has one. */
  readonly pair: Hex | null;
}

/** createPair(address,address), getPair(address,address) */
const PAIR_CALLS: readonly bigint[] = [0xc9c65396n, 0xe6a43905n];

/** Runs the code that creates a contract, and lists the accounts that it gives something in these mappings. */
export function exploreCreation(
  code: Hex,
  creator: Hex,
  contract: Hex,
  { balances, allowances, pair }: CreationPlaces,
): FoundCreation {
  const program = parseProgram(code);
  const places = new Map<bigint, Hex>();
  const accounts = new Set<Hex>();
  /** Of mappings that belong to a holder, by the word at which they are. */
  const holders = new Map<bigint, Hex>();
  const granted = new Map<bigint, { holder: Hex; spender: Hex }>();
  const grants = new Map<bigint, { holder: Hex; spender: Hex }>();
  const budget = { steps: MAX_STEPS };
  let way: Way = { state: startState(), storage: new Map() };
  const world: World = {
    address: BigInt(contract),
    caller: constant(BigInt(creator)),
    value: ZERO,
    calldata: new Uint8Array(),
    calldataSize: ZERO,
    load: ({ word: slot }) => (slot === null ? UNKNOWN : (way.storage.get(slot) ?? ZERO)),
    store: ({ word: slot }, value) => {
      if (slot !== null) way.storage.set(slot, value);
      const account = slot === null ? undefined : places.get(slot);
      if (account !== undefined && value.word !== 0n) accounts.add(account);
      const grant = slot === null ? undefined : granted.get(slot);
      if (slot !== null && grant !== undefined && value.word !== 0n) grants.set(slot, grant);
    },
    hash: (bytes, word) => {
      // The place of a mapping's entry: the hash of its key and the slot of the mapping.
      if (bytes.length !== 130) return;
      const [key, base]: [Hex, bigint] = [`0x${bytes.slice(26, 66)}`, BigInt(`0x${bytes.slice(66)}`)];
      if (balances.includes(base)) places.set(word, key);
      if (allowances.includes(base)) holders.set(word, key);
      const holder = holders.get(base);
      if (holder !== undefined) granted.set(word, { holder, spender: key });
    },
    call: ({ offset }, { memory }) => {
      const asked = offset.word === null ? null : memory.readBytes(Number(offset.word), 4)?.word;
      const isPair = pair !== null && asked != null && PAIR_CALLS.includes(asked >> 224n);
      return isPair
        ? { success: true, bytes: hexToBytes(pad(pair)), sources: [] }
        : { success: true, bytes: null, sources: [{ from: "unknown" }] };
    },
    log: () => undefined,
    create: () => undefined,
  };
  const describe = (isComplete: boolean): FoundCreation => ({
    isComplete,
    accounts: [...accounts],
    grants: [...grants.values()],
  });
  const waiting: Way[] = [way];
  let forks = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    way = next;
    const end = run(program, way.state, world, budget);
    if (end.kind === "fork") {
      forks += 1;
      waiting.push(jump(way, end.destination), way);
    }
    if (end.kind === "budget" || forks > MAX_FORKS) return describe(false);
  }
  return describe(true);
}

/** A run with what it has stored so far. */
interface Way {
  readonly state: State;
  readonly storage: Map<bigint, Value>;
}

const jump = ({ state, storage }: Way, at: number): Way => ({
  state: { at, stack: state.stack.slice(), memory: state.memory.copy(), returned: state.returned },
  storage: new Map(storage),
});
