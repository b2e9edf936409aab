import { createRequire } from "node:module";
import type { CallRead, StateOverrides } from "@assay/chain";
import { type Hex, keccak256, type Reading, valueReading } from "@assay/protocol";
import {
  type Abi,
  type AbiParameter,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeDeployData,
  numberToHex,
  parseAbiParameters,
} from "viem";
import { nameCreated, nameCreated2 } from "../../code/nameCreated.js";
import {
  actThrough,
  callLaunchProbe,
  launchProbe,
  PROBE_GAS,
  poolKindNumbers,
  TRADER_BALANCE,
} from "../../pools/gather/findPools.js";
import type { LaunchVenues } from "../../pools/launchVenues.js";
import type { DeepPool } from "../../pools/rankPools.js";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import type { LaunchExercise } from "../launchReadings.js";
import type { HeldSale, LaunchLeg, LaunchRun } from "../tradeReadings.js";
import type { Trial } from "./listTrials.js";

const load = createRequire(import.meta.url);
const { abi } = launchProbe;
interface Created {
  readonly abi: Abi;
  readonly bytecode: Hex;
}
const visitor = load("@assay/contracts/out/LaunchVisitor.json") as Created;
const guest = load("@assay/contracts/out/LaunchGuest.json") as Created;

/** One in ten thousand and one in a hundred of what the pool holds, in millionths. */
export const SHARES_PPM = [100, 10_000] as const;
export interface Market {
  readonly venues: LaunchVenues;
  readonly token: Hex;
  readonly pool: DeepPool;
  /** Code in the token's place, or in the place of the program behind it. */
  readonly replaced?: { readonly address: Hex; readonly code: Hex; readonly clock?: bigint };
}

export function encodeMarket({ venues, token, pool }: Market) {
  const { weth, classic, concentrated, routed, slipstream, fundingFee } = venues;
  const { kind } = pool;
  const slip = slipstream.find(({ factory }) => factory === pool.factory);
  const routers: Readonly<Record<string, Hex | undefined>> = {
    classic: classic.router,
    concentrated: concentrated.router,
    routed: routed?.router,
    slipstream: slip?.router,
    singleton: pool.pool,
  };
  return {
    kind: poolKindNumbers[kind],
    pool: pool.pool,
    router: routers[kind] ?? classic.router,
    quoter: kind === "slipstream" && slip ? slip.quoter : concentrated.quoter,
    token,
    quote: pool.quote,
    fee: pool.fee,
    tickSpacing: pool.tickSpacing ?? 0,
    isStable: pool.isStable ?? false,
    companion: kind === "routed" && routed ? routed.factory : (pool.hooks ?? ZERO),
    weth,
    fundingRouter: concentrated.router,
    fundingFee,
    depth: BigInt(pool.quoteBalance),
  };
}
const ZERO: Hex = "0x0000000000000000000000000000000000000000";

/** Where tokens keep balances: the usual places, and the one of upgradeable tokens since OpenZeppelin 5. */
const BALANCE_SLOTS: readonly bigint[] = [
  ...Array.from({ length: 12 }, (_, index) => BigInt(index)),
  51n,
  BigInt("0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00"),
];
/** Where it is not known before how much of it the pool holds. */
const AMPLE = 10n ** 30n;
const balanceParameters = parseAbiParameters("address, uint256");

/** Gives accounts a balance of the quote token, wherever it keeps balances; native currency is enough for the wrapped one. */
export function lendQuote({ venues, pool }: Market, accounts: readonly Hex[]): StateOverrides {
  if (pool.quote === venues.weth || BigInt(pool.quote) === 0n) return {};
  // A rush spends up to one and a half times what the pool holds.
  const word = numberToHex(BigInt(pool.quoteBalance) * 2n || AMPLE, { size: 32 });
  const slots = accounts.flatMap((account) =>
    BALANCE_SLOTS.map((slot) => [placeBalance(account, slot), word]),
  );
  return { [pool.quote as Hex]: { stateDiff: Object.fromEntries(slots) } };
}

export function replaceCode({ replaced, token }: Market): StateOverrides {
  if (!replaced) return {};
  const { address, code, clock } = replaced;
  const own = address === token ? { code } : {};
  return {
    ...(address === token ? {} : { [address]: { code } }),
    ...(clock === undefined
      ? { ...(address === token && { [token]: { code } }) }
      : { [token]: { ...own, balance: clock } }),
  };
}

/** Buys, transfers, approves and sells, once for each share of the pool and each time from the same state. */
export function readTrades(market: Market, sender: Hex, friend: Hex): CallRead {
  const others = { ...replaceCode(market), ...lendQuote(market, [sender]) };
  return callLaunchProbe(sender, "trade", [encodeMarket(market), SHARES_PPM, friend], others);
}

export function parseTrades(answer: Reading<Hex>): Reading<LaunchRun[]> {
  return parseProbeAnswer(answer, (data) => {
    return decodeRuns(decodeFunctionResult({ abi, functionName: "trade", data }) as readonly Hex[]);
  });
}

/**
 * The same by a contract under construction: like an ordinary account it has no code at its address, but it is not the origin of
 * the transaction. A token must let both senders trade.
 */
export function readVisit(
  market: Market,
  creator: Hex,
  friend: Hex,
  balanceSlots: readonly bigint[],
): CallRead {
  return {
    kind: "call",
    from: creator,
    to: null,
    data: encodeVisit(market, SHARES_PPM, friend),
    value: TRADER_BALANCE,
    gas: PROBE_GAS,
    // Twice as much, because some nodes charge for the gas.
    overrides: {
      ...lendQuote(market, [nameVisitor(market, creator, friend)]),
      ...giveTokens(market, nameHolder(market, creator, friend), balanceSlots),
      [creator]: { balance: TRADER_BALANCE * 2n },
    },
  };
}

/** A hundredth of what the pool holds, which the account seems to have had before. */
function giveTokens({ token, pool }: Market, holder: Hex, slots: readonly bigint[]): StateOverrides {
  if (slots.length === 0) return {};
  const word = numberToHex(BigInt(pool.tokenBalance) / 100n, { size: 32 });
  return {
    [token]: { stateDiff: Object.fromEntries(slots.map((slot) => [placeBalance(holder, slot), word])) },
  };
}

/** Where a mapping at a slot keeps what belongs to an account. */
const placeBalance = (account: Hex, slot: bigint): Hex =>
  keccak256(encodeAbiParameters(balanceParameters, [account, slot]));

const encodeVisit = (market: Market, shares: readonly number[], friend: Hex): Hex =>
  encodeDeployData({
    abi: visitor.abi,
    bytecode: visitor.bytecode,
    args: [encodeMarket(market), shares.map(BigInt), friend],
  });

/**
 * The visitor's trade with every call that it makes. Not every node lets a traced call replace parts of the state, so its native
 * currency comes from the one contract that has enough of it anywhere.
 */
function traceVisit(market: Market, friend: Hex) {
  const { pool, venues } = market;
  return {
    kind: "trace",
    from: venues.weth,
    to: null,
    data: encodeVisit(market, SHARES_PPM.slice(0, 1), friend),
    value: pool.depthWei / 1_000n + 10n ** 17n,
  } as const;
}

/** The same of a fresh account in V4, in which only a contract with code can trade. */
function traceTrades(market: Market, sender: Hex, friend: Hex) {
  const { from, to, data, overrides } = readTrades(market, sender, friend);
  return {
    kind: "trace",
    from: from ?? sender,
    to,
    data,
    value: 0n,
    ...(overrides && { overrides }),
  } as const;
}

export const traceTrade = (market: Market, sender: Hex, friend: Hex) =>
  market.pool.kind === "singleton" ? traceTrades(market, sender, friend) : traceVisit(market, friend);

/** The address at which the first contract of a fresh account lets its guests trade (EIP-1014). */
export const nameVisitor = (market: Market, creator: Hex, friend: Hex): Hex =>
  nameGuest(market, creator, friend, 0);
/** The same for the guest that sells without a purchase. */
export const nameHolder = (market: Market, creator: Hex, friend: Hex): Hex =>
  nameGuest(market, creator, friend, 1);

const nameGuest = (market: Market, creator: Hex, friend: Hex, salt: number): Hex =>
  nameCreated2(
    nameCreated(creator, 0),
    numberToHex(salt, { size: 32 }),
    keccak256(
      encodeDeployData({
        abi: guest.abi,
        bytecode: guest.bytecode,
        args: [encodeMarket(market), SHARES_PPM.map(BigInt), friend, TRADER_BALANCE],
      }),
    ),
  );

export function parseVisits(answer: Reading<Hex>): Reading<LaunchRun[]> {
  // Out of gas: the trades ran and did not finish.
  if (answer.status === "reverted")
    return valueReading(SHARES_PPM.map((sharePpm) => ({ sharePpm, legs: null })));
  return parseProbeAnswer(answer, (data) => decodeRuns(decodeAbiParameters(RUNS, data)[0]));
}
const RUNS = parseAbiParameters("bytes[]");

/** The sale of what the holder had before; no legs where it did not have the tokens, or the sale did not finish. */
export function parseHeld(holder: Hex, answer: Reading<Hex>): Reading<HeldSale> {
  if (answer.status === "reverted") return valueReading({ holder, legs: null });
  return parseProbeAnswer(answer, (data) => {
    const run = decodeAbiParameters(RUNS, data)[0][SHARES_PPM.length] ?? "0x";
    const legs = run === "0x" ? [] : decodeLegs(run);
    return { holder, legs: legs.length === 0 ? null : legs };
  });
}

const decodeRuns = (runs: readonly Hex[]): LaunchRun[] =>
  SHARES_PPM.map((sharePpm, index) => {
    const run = runs[index] ?? "0x";
    return { sharePpm, legs: run === "0x" ? null : decodeLegs(run) };
  });

/** Buys, then has `caller` act and sells, for each trial from the same state. */
export function readExercise(
  market: Market,
  trader: Hex,
  caller: Hex,
  trials: readonly Trial[],
  {
    wait,
    words,
    origin,
  }: { readonly wait: number; readonly words: Readonly<Record<Hex, Hex>>; readonly origin: Hex },
): CallRead {
  const encoded = trials.map(({ calls, isSequence }) => ({ caller, calls, isSequence }));
  const args = [encodeMarket(market), BigInt(SHARES_PPM[1] / 5), BigInt(wait), encoded];
  const replaced = replaceCode(market);
  const others: StateOverrides = {
    ...replaced,
    ...(Object.keys(words).length > 0 && { [market.token]: { ...replaced[market.token], stateDiff: words } }),
    ...lendQuote(market, [trader]),
    [caller]: { code: actThrough(trader), ...(origin === caller && { balance: TRADER_BALANCE }) },
  };
  return { ...callLaunchProbe(trader, "exercise", args, others), from: origin };
}

/** Whether every trial was made, or none could be. */
export function isExerciseWhole(answer: Hex): boolean {
  const [bought, , outcomes] = decodeExercise(answer);
  return !bought.success || bought.received === 0n || outcomes.every(({ isTried }) => isTried);
}

const decodeExercise = (data: Hex) =>
  decodeFunctionResult({ abi, functionName: "exercise", data }) as readonly [
    RawLeg,
    RawLeg,
    readonly RawTrial[],
  ];

interface RawLeg {
  readonly success: boolean;
  readonly sent: bigint;
  readonly reached: bigint;
  readonly quoted: bigint;
  readonly received: bigint;
  readonly refusal: Hex;
}

interface RawTrial {
  readonly isTried: boolean;
  readonly isAccepted: boolean;
  readonly index: bigint;
  readonly changes: readonly bigint[];
  readonly refusal: Hex;
  readonly sale: RawLeg;
}

export function parseExercise(trials: readonly Trial[], answer: Reading<Hex>): Reading<LaunchExercise> {
  return parseProbeAnswer(answer, (data) => {
    const [bought, plainSale, outcomes] = decodeExercise(data);
    const paired = trials.map((trial, index) => ({ trial, outcome: outcomes[index] as RawTrial }));
    // Most trials change nothing, and then the sale need not be recorded again.
    const isSame = ({ sale, changes }: RawTrial) =>
      changes.every((change) => change === 0n) &&
      JSON.stringify(toLeg(sale)) === JSON.stringify(toLeg(plainSale));
    const selectorsOf = (matches: (outcome: RawTrial) => boolean) => [
      ...new Set(paired.filter(({ outcome }) => matches(outcome)).map(({ trial }) => trial.selector)),
    ];
    const accepted = new Set(selectorsOf(({ isAccepted }) => isAccepted));
    const refused = selectorsOf(({ isTried, isAccepted }) => isTried && !isAccepted).filter(
      (selector) => !accepted.has(selector),
    );
    return {
      bought: toLeg(bought),
      plainSale: toLeg(plainSale),
      accepted: paired
        .filter(({ outcome }) => outcome.isAccepted && !isSame(outcome))
        .map(({ trial, outcome }) => ({
          data: trial.calls[trial.isSequence ? 0 : Number(outcome.index)] as Hex,
          sale: toLeg(outcome.sale),
          changes: toChanges(outcome.changes),
        })),
      unchanged: selectorsOf((outcome) => outcome.isAccepted && isSame(outcome)),
      refused: refused.map((selector) => ({
        selector,
        refusal: paired.find(({ trial, outcome }) => trial.selector === selector && outcome.isTried)?.outcome
          .refusal as Hex,
      })),
      untried: selectorsOf(({ isTried }) => !isTried),
    };
  });
}

const toChanges = ([
  caller = 0n,
  trader = 0n,
  pool = 0n,
  supply = 0n,
  allowance = 0n,
]: readonly bigint[]) => ({
  caller: caller.toString(),
  trader: trader.toString(),
  pool: pool.toString(),
  supply: supply.toString(),
  allowance: allowance.toString(),
});

const legParameter = abi.flatMap((item): AbiParameter[] =>
  item.type === "function" && item.name === "exercise" ? [...item.outputs] : [],
)[0] as AbiParameter;

export function decodeLegs(run: Hex): LaunchLeg[] {
  const [legs] = decodeAbiParameters([{ ...legParameter, type: "tuple[]" }], run);
  return (legs as unknown as readonly RawLeg[]).map(toLeg);
}

const toLeg = ({ success, sent, reached, quoted, received, refusal }: RawLeg): LaunchLeg => ({
  success,
  sent: sent.toString(),
  reached: reached.toString(),
  quoted: quoted.toString(),
  received: received.toString(),
  refusal: success ? "0x" : refusal,
});
