import { type FoundCondition, NO_SELECTOR, type TradeFunction } from "./exploreTrade.js";
import {
  ADD,
  DIV,
  describe,
  describeBase,
  EQ,
  evaluate,
  GT,
  hasSource,
  ISZERO,
  isPlainly,
  LT,
  listLeaves,
  loadedPlace,
  normalize,
  type Place,
  strip,
} from "./expression.js";
import { findChanges } from "./findChanges.js";
import type { Guard } from "./findGuard.js";
import { findLeaks } from "./findLeaks.js";
import { listChanging } from "./listChanging.js";
import { type Bookkeeping, findConstant, listSettings, type Words } from "./listSettings.js";
import { type History, isRangeCheck, type Now } from "./rangeCheck.js";
import { ROLES, type TradeDoubt, type TradeReading } from "./tradeReading.js";
import type { Value } from "./value.js";
import { hasTime } from "./way.js";

const [TRANSFER, TRANSFER_FROM, APPROVE, BALANCE_OF, ALLOWANCE, SUPPLY, HAS_ROLE] = [
  0xa9059cbb, 0x23b872dd, 0x095ea7b3, 0x70a08231, 0xdd62ed3e, 0x18160ddd, 0x91d14854,
];
const TRADE: readonly number[] = [TRANSFER, TRANSFER_FROM, APPROVE, BALANCE_OF, ALLOWANCE];
/** getVotes, getCurrentVotes, numCheckpoints, checkpoints, delegates. */
const VOTES: readonly number[] = [0x9ab24eb0, 0xb4b5ea57, 0x6fcfff45, 0xf1127ed8, 0x587cde1e];
/** Questions about a market whose answer does not change, and steps by which tokens sell what they kept. */
const MARKET_CALLS: ReadonlySet<number> = new Set([
  0xe6a43905, // getPair(address,address)
  0x1698ee82, // getPool(address,address,uint24)
  0xc45a0155, // factory()
  0xad5c4648, // WETH()
  0x0dfe1681, // token0()
  0xd21220a7, // token1()
  0x791ac947, // swapExactTokensForETHSupportingFeeOnTransferTokens
  0x5c11d795, // swapExactTokensForTokensSupportingFeeOnTransferTokens
  0x18cbafe5, // swapExactTokensForETH
  0x38ed1739, // swapExactTokensForTokens
  0xf305d719, // addLiquidityETH
  0xe8e33700, // addLiquidity
  0xfff6cae9, // sync()
  0x2e1a7d4d, // withdraw(uint256)
  0xa9059cbb, // transfer(address,uint256)
  0x095ea7b3, // approve(address,uint256)
  0xd0e30db0, // deposit()
]);
/** A contract that buys with its own ether, or pays, changes nothing that a trade reads. */
const BUYING: ReadonlySet<number> = new Set([
  0xb6f9de95, // swapExactETHForTokensSupportingFeeOnTransferTokens
  0x7ff36ab5, // swapExactETHForTokens
  0xd0e30db0, // deposit()
]);
const GET_PAIR = 0xe6a43905;
/** Precompiled contracts that recover a signer and copy memory. */
const PLAIN_PRECOMPILES: readonly bigint[] = [1n, 4n];
/** Seconds. A longer pause after a purchase is no usual guard against bots. */
const SHORT_PAUSE = 600n;

/** What the outcome of a trade depends on, of what was found in the functions of a token. */
export function listDoubts(functions: readonly TradeFunction[], words: Words, now: Now): TradeReading {
  const doubts = new Map<string, TradeReading["doubts"][number]>();
  const doubt = (on: TradeDoubt, { selector }: TradeFunction, place: string): void => {
    doubts.set(`${on}:${selector}:${place}`, { on, function: write(selector), place: place.slice(0, 80) });
  };
  const books = findBooks(functions);
  const trade = functions.filter(({ selector }) => TRADE.includes(selector));
  const others = functions.filter(({ selector }) => !TRADE.includes(selector));
  const history = findHistory(trade, books);
  // Before the function was known: the way of shorter calls is one that was not followed.
  const isParted = functions.some(({ selector, looksAtLength }) => selector === NO_SELECTOR && looksAtLength);
  const changing = listChanging(functions, words);
  const stored = new Set(functions.flatMap(({ stores }) => stores.map(({ place }) => describeBase(place))));
  for (const one of trade) {
    if (one.looksAtNative) doubt("native_balance", one, "");
    if (one.looksAtLength || isParted) doubt("call_length", one, "");
    for (const call of one.calls)
      if (!isMarketCall(call))
        doubt("other_contract", one, call.selector === null ? "" : write(call.selector));
    for (const place of one.loads.values())
      if (place.base === "?" || (place.keys.some(isWorked) && !books.votes.has(describeBase(place))))
        doubt("unknown_storage", one, place.base);
    const divisors = listDivisors(one);
    for (const condition of one.conditions)
      for (const place of listOddPlaces(condition, one, books, history, words, divisors, stored))
        doubt(place[0], one, place[1]);
    for (const store of one.stores) {
      const base = describeBase(store.place);
      if (!books.balances.has(base)) continue;
      if (store.isStale && one.selector !== APPROVE) doubt("stale_balance", one, base);
      for (const leaf of listLeaves(store.value)) {
        const place = loadedPlace(leaf);
        if (place === null || books.balances.has(describeBase(place))) continue;
        if (place.keys.length > 0 && !books.allowances.has(describeBase(place)))
          doubt("history", one, describeBase(place));
        if (history.has(describeBase(place)) && !books.supply.has(describeBase(place)))
          doubt("history", one, describeBase(place));
      }
    }
  }
  const changes = findChanges(trade, history, words, now);
  for (const { selector, place } of changes.unclear) {
    const one = trade.find((found) => found.selector === selector);
    // Balances and votes of old are kept with the block from which on they were so.
    const isDated = books.votes.has(place) || (books.balances.has(place) && !place.endsWith("[1]"));
    if (one && !isDated) doubt("time", one, place);
  }
  const read = new Set(trade.flatMap(({ loads }) => [...loads.values()].map(describeBase)));
  const { settings, open } = listSettings(others, read, books, words, changing);
  for (const one of others)
    for (const place of one.loads.values())
      if (place.keys.some(isSigner) && one.stores.some((store) => isHolding(store.place, books)))
        doubt("open_setting", one, describeBase(place));
  for (const leak of findLeaks(functions, books, words, changing)) {
    if (leak.guards.length > 0) settings.push({ ...leak, proof: "none" });
    else open.push(leak);
  }
  for (const { selector, place } of open)
    doubts.set(`open:${selector}:${place.base}`, {
      on: "open_setting",
      function: write(selector),
      place: describeBase(place).slice(0, 80),
    });
  const active = new Set([...settings, ...open].map(({ selector }) => selector));
  const harmless = others.filter(
    ({ selector, isComplete, calls, loads }) =>
      isComplete &&
      !active.has(selector) &&
      ![...loads.values()].some(({ keys }) => keys.some(isSigner)) &&
      calls.every(
        ({ kind, selector }) =>
          kind === "staticcall" || (kind === "call" && selector !== null && BUYING.has(selector)),
      ),
  );
  return {
    isComplete: trade.every(({ isComplete }) => isComplete),
    doubts: [...doubts.values()].slice(0, 32),
    settings: settings
      .map(({ selector, place, guards, proof }) => ({
        function: write(selector),
        place: describeBase(place).slice(0, 80),
        guards: guards.map((guard) => (isRole(guard, books) ? ROLES : guard)).slice(0, 4),
        proof,
      }))
      .filter(
        (one, index, all) =>
          all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
      )
      .slice(0, 64),
    harmless: harmless.map(({ selector }) => write(selector)).slice(0, 64),
    changes: changes.seconds.slice(0, 64),
    countsBlocks: changes.countsBlocks,
  };
}

const isRole = (guard: Guard, { roles }: Bookkeeping): boolean =>
  guard.startsWith("list ") && roles.has(guard.slice("list ".length));

const write = (selector: number): `0x${string}` => `0x${selector.toString(16).padStart(8, "0")}`;

/** Who signed: a list of those whose signature counts for others. */
const isSigner = (key: Value): boolean =>
  key.sources.some((source) => source.from === "call" && source.to.word === 1n);

const isHolding = (place: Place, { balances, allowances }: Bookkeeping): boolean =>
  balances.has(describeBase(place)) || allowances.has(describeBase(place));

/** A key of a mapping that was computed with more than a hash. */
const isWorked = (key: Value): boolean => {
  const bare = strip(key);
  return (
    bare.word === null &&
    bare.of !== undefined &&
    loadedPlace(bare) === null &&
    hasSource(bare, "calldata", "caller")
  );
};

function isMarketCall({
  to,
  selector,
  hasData,
  kind,
  arguments: given,
}: TradeFunction["calls"][number]): boolean {
  if (to.word !== null && to.word <= 0xffffn) return PLAIN_PRECOMPILES.includes(to.word);
  // A payment.
  if (!hasData) return kind === "call";
  if (selector === null || !MARKET_CALLS.has(selector)) return false;
  // A pair with another token appears when somebody makes one.
  return selector !== GET_PAIR || given.some((one) => hasSource(one, "self")) === true;
}

function findBooks(functions: readonly TradeFunction[]): Bookkeeping {
  const basesOf = (selectors: readonly number[], least: number) =>
    new Set(
      functions
        .filter(({ selector }) => selectors.includes(selector))
        .flatMap(({ loads }) => [...loads.values()])
        .filter(({ base, keys }) => base !== "?" && keys.length >= least)
        .map(describeBase),
    );
  const balances = basesOf([BALANCE_OF], 1);
  return {
    balances,
    allowances: basesOf([ALLOWANCE], 2),
    votes: basesOf(VOTES, 1),
    supply: new Set([...basesOf([SUPPLY], 0), ...basesOf([BALANCE_OF], 0)]),
    roles: basesOf([HAS_ROLE], 1),
  };
}

/** What trades write besides balances and allowances, without marks that they take back. */
function findHistory(trade: readonly TradeFunction[], books: Bookkeeping): History {
  const found = new Map<
    string,
    { isPause: boolean; grows: boolean; values: (bigint | null)[]; isReset: boolean }
  >();
  for (const { stores } of trade)
    for (const { place, value, before } of stores) {
      const base = describeBase(place);
      if (books.balances.has(base) || books.allowances.has(base) || books.votes.has(base)) continue;
      const one = found.get(base) ?? { isPause: true, grows: true, values: [], isReset: false };
      found.set(base, {
        isPause: one.isPause && isMoment(value),
        grows: one.grows && isGrowth(place, value),
        values: [...one.values, findConstant(value)],
        isReset: one.isReset || before > 0,
      });
    }
  return new Map(
    [...found]
      .filter(([, { values, isReset }]) => !(isReset && values.every((value) => value !== null)))
      .map(([base, { isPause, grows }]) => [base, { isPause, grows }]),
  );
}

/** The time or the number of the block. */
const isMoment = (value: Value): boolean => {
  const bare = strip(value);
  return bare.of === undefined && hasTime(bare);
};

function isGrowth(place: Place, value: Value): boolean {
  const { opcode, operands } = strip(value).of ?? { opcode: -2, operands: [] };
  return (
    opcode === ADD &&
    operands.some((one) => {
      const loaded = loadedPlace(strip(one));
      return loaded !== null && describeBase(loaded) === describeBase(place);
    })
  );
}

/** What something is divided by is compared with zero before. */
function listDivisors({ stores, returned, conditions }: TradeFunction): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<Value>();
  const waiting = [
    ...stores.map(({ value }) => value),
    ...returned,
    ...conditions.map(({ condition }) => condition),
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || next.of === undefined) continue;
    seen.add(next);
    const [, divisor] = next.of.operands;
    if (next.of.opcode === DIV && divisor) found.add(describe(divisor));
    waiting.push(...next.of.operands);
  }
  return found;
}

/** What a condition of a trade depends on beyond what its parties have. */
function listOddPlaces(
  { condition, decides }: FoundCondition,
  { selector }: TradeFunction,
  books: Bookkeeping,
  history: History,
  words: Words,
  divisors: ReadonlySet<string>,
  stored: ReadonlySet<string>,
): [TradeDoubt, string][] {
  if (isRangeCheck(condition) || divisors.has(describe(normalize(condition, true)[0]))) return [];
  const leaves = listLeaves(condition);
  const [asked] = normalize(condition, true);
  // Whether a pair exists is for anybody to change.
  if (decides && strip(asked).of === undefined && hasSource(asked, "call")) return [["other_contract", ""]];
  const isOwn = (key: Value | undefined) =>
    key !== undefined && (isPlainly(key, "calldata") || isPlainly(key, "caller"));
  return leaves.flatMap((leaf): [TradeDoubt, string][] => {
    const place = loadedPlace(leaf);
    if (place === null) return [];
    const base = describeBase(place);
    const [first, second] = place.keys;
    if (books.votes.has(base)) return [];
    if (books.balances.has(base)) {
      if (isOwn(first)) return [];
      if (first !== undefined && strip(first).word !== null) return [["own_balances", base]];
      return decides && !isEmptyCheck(condition) ? [["own_balances", base]] : [];
    }
    if (books.allowances.has(base)) {
      const isGiven = isPlainly(second as Value, "caller") || selector === APPROVE || selector === ALLOWANCE;
      return isOwn(first) && isGiven ? [] : [["own_balances", base]];
    }
    if (books.supply.has(base) && place.keys.length === 0) {
      // A share of the supply is a usual limit of what one account may have or move.
      const isLimit = leaves.some((other) => isOwnAmount(other, books));
      return history.has(base) || !isLimit ? (isLimit ? [] : noteSupply(condition, base)) : [];
    }
    const past = history.get(base);
    // Compilers work out where an entry of a mapping is whose key is written in the code.
    if (past === undefined) return isEntry(place) && !stored.has(base) ? [["own_balances", base]] : [];
    if (past.isPause && hasTime(condition) && hasShortPause(condition)) return [];
    if (past.isPause && isEmptyCheck(condition)) return [];
    if (past.grows && place.keys.length === 0 && isSettled(condition, base, words)) return [];
    return [["history", base]];
  });
}

const isEntry = ({ base, keys }: Place): boolean =>
  keys.length === 0 && base !== "?" && !base.startsWith("hash") && BigInt(base) >= 1n << 64n;

const noteSupply = (condition: Value, base: string): [TradeDoubt, string][] =>
  isEmptyCheck(condition) ? [] : [["own_balances", base]];

const isOwnAmount = (leaf: Value, books: Bookkeeping): boolean => {
  const place = loadedPlace(leaf);
  return place === null ? isPlainly(leaf, "calldata") : books.balances.has(describeBase(place));
};

/** Whether there is anything at all. */
function isEmptyCheck(condition: Value): boolean {
  let current = condition;
  while (current.of?.opcode === ISZERO) current = current.of.operands[0] as Value;
  const { opcode, operands } = current.of ?? { opcode: -2, operands: [] };
  if (loadedPlace(strip(current)) !== null) return true;
  return (opcode === EQ || opcode === GT || opcode === LT) && operands.some(({ word }) => word === 0n);
}

function hasShortPause(condition: Value): boolean {
  const waiting = [condition];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.word !== null && next.word > SHORT_PAUSE && next.word < 1n << 64n && !isFull(next.word))
      return false;
    if (next.of !== undefined && loadedPlace(next) === null) waiting.push(...next.of.operands);
  }
  return true;
}
const isFull = (word: bigint): boolean => (word & (word + 1n)) === 0n;

/** Whether a number that only grows has passed everything that a condition compares it with. */
function isSettled(condition: Value, base: string, words: Words): boolean {
  const value = words.get(base);
  if (value === undefined) return false;
  const at = (more: bigint) =>
    evaluate(condition, {
      time: 0n,
      number: 0n,
      load: (place) => (describeBase(place) === base ? value + more : (words.get(place.base) ?? null)),
    });
  const first = at(0n);
  if (first === null) return false;
  const steps = Array.from({ length: 120 }, (_, index) => 1n << BigInt(index));
  return steps.every((more) => at(more) === first);
}
