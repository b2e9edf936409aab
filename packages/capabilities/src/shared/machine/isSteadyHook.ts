import type { Hex } from "@assay/protocol";
import {
  ADD,
  AND,
  DIV,
  describe,
  EQ,
  findEqual,
  GT,
  ISZERO,
  LT,
  normalize,
  OR,
  SGT,
  SLT,
  SUB,
  strip,
} from "./expression.js";
import { type Program, parseProgram } from "./program.js";
import { type End, run, type State, startState, type World } from "./run.js";
import { constant, sourced, type Value } from "./value.js";

const [MUL, SDIV, SIGNEXTEND, SHL, SHR, SAR] = [0x02, 0x05, 0x0b, 0x1b, 0x1c, 0x1d];
/** `take(address,address,uint256)` of V4's manager: the one thing that a hook may ask of it. */
const TAKE = 0x0b0d9c09;
/** `sender`, which `beforeSwap` and `afterSwap` take first, is another account for each router. */
const SENDER = 0x04n;
/** The key of the pool and the direction: both directions are tried in the pool that is judged. */
const FREE: readonly bigint[] = [0x24n, 0x44n, 0x64n, 0x84n, 0xa4n, 0xc4n];
/** What is swapped (`amountSpecified`), and what came of it (`delta`). */
const AMOUNTS: readonly bigint[] = [0xe4n, 0x124n];
const MOST_FACTOR = 10n ** 18n;
/** What is less is dust: hooks take nothing where nothing is left of their share. */
const MOST_DUST = 10n ** 6n;
const MOST_STEP = 0x1000n;
const MOST_LENGTH = (1n << 64n) - 1n;
const AMOUNT_BITS = 128n;
const ACCOUNT_MASK = (1n << 160n) - 1n;
const WORD = 1n << 256n;
const MAX_STEPS = 20_000;
const MAX_PATHS = 600;

/**
 * Whether every way through the program of a V4 hook treats all swaps of a pool alike: it asks nobody, takes from the manager and
 * returns only what is proportional to amounts, and no condition tells one account, amount, time or supply of gas from another. A
 * program that was not followed to its end is not steady.
 */
export function isSteadyHook(code: Hex, manager: Hex): boolean {
  const program = parseProgram(code);
  const budget = { steps: MAX_STEPS };
  const waiting: State[] = [startState()];
  const outcome = sourced(null, "unknown");
  /** What runs on after the manager refused: it must refuse the swap as well. */
  const refused = new WeakSet<State>();
  for (let paths = 0; paths < MAX_PATHS; paths += 1) {
    const state = waiting.pop();
    if (state === undefined) return true;
    const found = { isSteady: true };
    const end = run(program, state, createWorld(BigInt(manager), found, outcome), budget);
    if (end.kind !== "fork") {
      const isSteady = refused.has(state) ? end.kind === "revert" : isSteadyEnd(end, state);
      if (!found.isSteady || !isSteady) return false;
      continue;
    }
    const [asked, isAsked] = normalize(end.condition, true);
    if (!found.isSteady || !(asked === outcome || isSteadyCondition(end.condition, BigInt(manager))))
      return false;
    const jumped = jump(program, state, end.destination);
    if (refused.has(state)) refused.add(jumped);
    else if (asked === outcome) refused.add(isAsked ? state : jumped);
    waiting.push(state, jumped);
  }
  return false;
}

const jump = (_: Program, state: State, at: number): State => ({
  ...state,
  at,
  stack: state.stack.slice(),
  memory: state.memory.copy(),
});

function createWorld(manager: bigint, found: { isSteady: boolean }, outcome: Value): World {
  const fail = () => {
    found.isSteady = false;
  };
  return {
    address: null,
    caller: sourced(null, "caller"),
    value: sourced(null, "value"),
    calldata: null,
    calldataSize: { word: null, sources: [{ from: "size" }] },
    // A wallet gives less than a simulation.
    gas: sourced(null, "environment"),
    load: () => {
      fail();
      return sourced(null, "unknown");
    },
    store: fail,
    call({ kind, to, value, offset, length }, { memory }) {
      const start = offset.word;
      const isTaking =
        kind === "call" && to.word === manager && value.word === 0n && start !== null && length.word === 100n;
      const selector = isTaking ? memory.readBytes(Number(start), 4).word : null;
      const taken = start === null ? sourced(null, "unknown") : memory.read(constant(start + 68n));
      if (selector === null || Number(selector >> 224n) !== TAKE || !isProportional(taken)) fail();
      // It returns nothing, or says why it refused.
      const size = sourced(null, "environment");
      return { success: true, bytes: new Uint8Array(), sources: [], outcome, size };
    },
    native: fail,
    log: () => undefined,
    create: fail,
    look(of) {
      if (of.word !== manager) fail();
    },
    lose: fail,
  };
}

function isSteadyEnd(end: Exclude<End, { kind: "fork" }>, { memory }: State): boolean {
  if (end.kind !== "return") return end.kind !== "budget" && end.kind !== "destroy" && end.kind !== "ended";
  const [start, length] = [end.offset.word, end.length.word];
  if (start === null || length === null || length > 0x80n) return false;
  for (let at = 0n; at < length; at += 32n)
    if (!isProportional(memory.read(constant(start + at)))) return false;
  return true;
}

/** The place in the call's data that a value is, where nothing was done with it. */
function placeOf({ word, sources, of }: Value): bigint | "unknown" | null {
  const [source, more] = sources;
  if (word !== null || of !== undefined || more !== undefined || source?.from !== "calldata") return null;
  return source.at ?? "unknown";
}

const isFree = (value: Value): boolean => {
  const place = placeOf(value);
  return typeof place === "bigint" && FREE.includes(place);
};

/** Made of amounts, and of what is the same for all swaps, by sums and by factors that are constant. */
function isProportional(value: Value): boolean {
  if (value.word !== null) return value.sources.length === 0;
  const place = placeOf(value);
  if (place !== null) return isFree(value) || AMOUNTS.includes(place as bigint);
  const { opcode, operands } = value.of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  if (a === undefined || b === undefined) return false;
  const [word, inner] = a.word === null ? [b.word, a] : [a.word, b];
  switch (opcode) {
    case ADD:
    case SUB:
    case OR:
      return isProportional(a) && isProportional(b);
    case MUL:
      return word !== null && word <= MOST_FACTOR && isProportional(inner);
    case DIV:
    case SDIV:
      return b.word !== null && b.word <= MOST_FACTOR && isProportional(a);
    case AND:
      return word !== null && isWideMask(word) && isProportional(inner);
    case SIGNEXTEND:
      return a.word === AMOUNT_BITS / 8n - 1n && isProportional(b);
    case SHL:
    case SHR:
    case SAR:
      return a.word === AMOUNT_BITS && isProportional(b);
    default:
      return false;
  }
}

/** Keeps an amount, or an address, whole: at the end of a word, or an amount at its beginning. */
const isWideMask = (mask: bigint): boolean => {
  const low = mask & -mask;
  const run = mask / (low === 0n ? 1n : low);
  return (
    (low === 1n || low === 1n << AMOUNT_BITS) && (run & (run + 1n)) === 0n && run >= (1n << AMOUNT_BITS) - 1n
  );
};

/**
 * The least amount of which the value is not zero; null where it is zero for other amounts than the least ones. Amounts have half a
 * word, so that what is further away is met by none.
 */
function leastOf(value: Value): bigint | null {
  if (value.word !== null) return null;
  if (placeOf(value) !== null) return 1n;
  const { opcode, operands } = value.of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  if (a === undefined || b === undefined) return null;
  const [word, inner] = a.word === null ? [b.word, a] : [a.word, b];
  const least = leastOf(inner);
  if (least === null) return null;
  switch (opcode) {
    case ADD:
    case SUB:
      return word === 0n || (word !== null && isBeyond(word)) ? least : null;
    case OR:
      return word === null ? larger(leastOf(a), leastOf(b)) : null;
    case MUL:
      return word === null || word === 0n ? null : (least + word - 1n) / word;
    case DIV:
    case SDIV:
      return b.word === null ? null : least * b.word;
    case AND:
    case SIGNEXTEND:
    case SHL:
      return least;
    case SHR:
    case SAR:
      // Of two amounts in one word, the first.
      return placeOf(inner) === AMOUNTS[1] || inner.of?.opcode === SHL ? least : null;
    default:
      return null;
  }
}
const isBeyond = (word: bigint): boolean =>
  word >= 1n << (AMOUNT_BITS - 1n) && word <= WORD - (1n << (AMOUNT_BITS - 1n));
const larger = (one: bigint | null, other: bigint | null): bigint | null =>
  one === null || other === null ? null : one > other ? one : other;

/** Zero for dust alone. */
const isAmount = (value: Value): boolean => {
  const least = isProportional(value) ? leastOf(value) : null;
  return least !== null && least <= MOST_DUST;
};

function isSteadyCondition(condition: Value, manager: bigint): boolean {
  if (condition.test?.kind === "is_selector" || isOfSelector(condition)) return true;
  const [asked] = normalize(condition, true);
  const { opcode, operands } = asked.of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  // Whether there is an amount, a flag or ether at all.
  if (isAmount(asked) || isPlainValue(asked)) return true;
  if (a === undefined || b === undefined) return false;
  if (isOfManager(asked, manager) || isArgumentCheck(asked)) return true;
  if (opcode === OR) return isProductCheck(a, b) || isProductCheck(b, a);
  if (![LT, GT, SLT, SGT, EQ].includes(opcode)) return false;
  if (isFree(strip(a)) && b.word !== null) return true;
  if (isFree(strip(b)) && a.word !== null) return true;
  const [lesser, greater] = opcode === LT || opcode === SLT ? [a, b] : [b, a];
  if (opcode !== EQ && lesser.word === 0n && isAmount(greater)) return true;
  return opcode !== EQ && isDataCheck(lesser, greater);
}

const isPlainValue = ({ sources, of, word }: Value): boolean =>
  word === null && of === undefined && sources.every(({ from }) => from === "value");

/** The first word holds the selector, and parts of the sender. */
function isSelector({ of }: Value): boolean {
  const [by, word] = of?.operands ?? [];
  return of?.opcode === SHR && by?.word === 224n && word !== undefined && placeOf(word) === 0n;
}
function isOfSelector(condition: Value): boolean {
  const [asked] = normalize(condition, true);
  const { opcode, operands } = asked.of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  if (a === undefined || b === undefined || ![LT, GT, EQ, SUB].includes(opcode)) return false;
  return (isSelector(a) && b.word !== null) || (isSelector(b) && a.word !== null);
}

/** Whether the manager calls, as it does in every swap. */
function isOfManager(asked: Value, manager: bigint): boolean {
  const pair = findEqual(asked, true) ?? findEqual(asked, false);
  return (
    pair?.some((one) => one.word === manager) === true &&
    pair.some((one) => {
      const bare = strip(one);
      return (
        bare.of === undefined && bare.word === null && bare.sources.every(({ from }) => from === "caller")
      );
    })
  );
}

/** A compiler compares an argument with itself, cut to its type. */
function isArgumentCheck(asked: Value): boolean {
  const pair = findEqual(asked, true) ?? findEqual(asked, false);
  if (pair === null) return false;
  const [a, b] = pair.map(peel) as [Value, Value];
  const place = placeOf(a);
  if (place === null || place === "unknown" || place !== placeOf(b)) return false;
  // What is cut otherwise tells accounts and amounts by some of their bits.
  return isFree(a) || pair.every(isCutToType);
}

/** Whether an account, a price or an amount is left whole by what is cut off. */
function isCutToType({ of }: Value): boolean {
  const [a, b] = of?.operands ?? [];
  if (of === undefined) return true;
  const [word, inner] = a?.word == null ? [b?.word, a] : [a.word, b];
  if (word == null || inner === undefined) return false;
  const isWhole =
    (of.opcode === AND && word === ACCOUNT_MASK) ||
    (of.opcode === SIGNEXTEND && a?.word === AMOUNT_BITS / 8n - 1n);
  return isWhole && isCutToType(inner);
}

/** Without what a compiler cuts off: masks, extensions of a sign, and what makes a flag of a word. */
function peel(value: Value): Value {
  for (let current = value; ; ) {
    const { opcode, operands } = current.of ?? { opcode: -2, operands: [] };
    const [a, b] = operands;
    if (opcode === ISZERO && a?.of?.opcode === ISZERO) current = a.of.operands[0] as Value;
    else if (opcode === SIGNEXTEND && a?.word != null && b) current = b;
    else if (opcode === AND && b && a?.word != null) current = b;
    else if (opcode === AND && a && b?.word != null) current = a;
    else return current;
  }
}

/** A product that is divided again by one of its factors is the other; or that factor is zero. */
function isProductCheck(zero: Value, check: Value): boolean {
  const { opcode, operands } = check.of ?? { opcode: -2, operands: [] };
  const [a, b] = operands;
  if (opcode !== EQ || a === undefined || b === undefined) return false;
  const isQuotient = (quotient: Value, other: Value): boolean => {
    const [product, factor] = quotient.of?.opcode === DIV ? quotient.of.operands : [];
    const factors = product?.of?.opcode === MUL ? product.of.operands : [];
    // Of a factor of zero the compiler does not know either.
    if (product?.word === 0n && other.word === 0n) return true;
    return (
      factor !== undefined &&
      factors.some((one) => describe(one) === describe(factor)) &&
      factors.some((one) => describe(one) === describe(other)) &&
      factors.every(isProportional)
    );
  };
  const [asked] = normalize(zero, true);
  return isAmount(asked) && (isQuotient(a, b) || isQuotient(b, a));
}

/** A compiler checks that the data of the call is there: sums of a place in it and small steps, against its length or a bound. */
function isDataCheck(lesser: Value, greater: Value): boolean {
  const isBound = (one: Value) => one.word === MOST_LENGTH || one.word === MOST_LENGTH + 1n;
  const isBounded = [
    [lesser, greater],
    [greater, lesser],
  ].some(([one, other]) => one && other && isBound(one) && isPlaced(other));
  return isBounded || (isPlaced(lesser) && isPlaced(greater));
}
function isPlaced(value: Value): boolean {
  // A step back is a sum as well.
  if (value.word !== null) return value.word <= MOST_STEP || value.word >= (1n << 256n) - MOST_STEP;
  const place = placeOf(value);
  if (place !== null) return place !== SENDER && place !== AMOUNTS[0];
  const [source, more] = value.sources;
  const { opcode, operands } = value.of ?? { opcode: -2, operands: [] };
  if (value.of === undefined) return source?.from === "size" && more === undefined;
  const [a, b] = operands;
  if (a === undefined || b === undefined) return false;
  if (opcode === SUB)
    return b.word !== null && b.word <= MOST_STEP && a.of === undefined && a.sources[0]?.from === "size";
  return opcode === ADD && isPlaced(a) && isPlaced(b);
}
