import type { Hex } from "@assay/protocol";
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
}

/** Runs the code that creates a contract, and lists the accounts that it gives something in these mappings. */
export function exploreCreation(
  code: Hex,
  creator: Hex,
  contract: Hex,
  slots: readonly bigint[],
): FoundCreation {
  const program = parseProgram(code);
  const places = new Map<bigint, Hex>();
  const accounts = new Set<Hex>();
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
    },
    hash: (bytes, word) => {
      // The place of a mapping's entry: the hash of its key and the slot of the mapping.
      if (bytes.length === 130 && slots.includes(BigInt(`0x${bytes.slice(66)}`)))
        places.set(word, `0x${bytes.slice(26, 66)}`);
    },
    call: () => ({ success: true, bytes: null, sources: [{ from: "unknown" }] }),
    log: () => undefined,
    create: () => undefined,
  };
  const waiting: Way[] = [way];
  let forks = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    way = next;
    const end = run(program, way.state, world, budget);
    if (end.kind === "fork") {
      forks += 1;
      waiting.push(jump(way, end.destination), way);
    }
    if (end.kind === "budget" || forks > MAX_FORKS) return { isComplete: false, accounts: [...accounts] };
  }
  return { isComplete: true, accounts: [...accounts] };
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
