import type { CallRead, ChainRead } from "@assay/chain";
import { absent, type Hex, type Reading } from "@assay/protocol";
import type { CodeAnalysis } from "../../code/codeAnalysis.js";
import type { ProgramFacts } from "../../code/describeProgram.js";
import { callLaunchProbe } from "../../pools/gather/findPools.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import { parseFees } from "../../simulation/gather/simulatedFees.js";
import type { LaunchReadings } from "../launchReadings.js";
import type { Key } from "../listKeys.js";
import { looksAtCode, patchClock, patchLooks } from "../patchProgram.js";
import type { HeldSale, SalesInParts } from "../tradeReadings.js";
import {
  nameOrigins,
  parseCrowd,
  parseLater,
  parseParts,
  parseRush,
  readCrowd,
  readLater,
  readRush,
} from "./crowdProbe.js";
import type { FreshAccounts } from "./freshAccounts.js";
import type { Joint } from "./jointProbes.js";
import {
  type Market,
  nameHolder,
  nameVisitor,
  parseHeld,
  parseTrades,
  parseVisits,
  readTrades,
  readVisit,
} from "./launchProbe.js";
import { planActors } from "./planActors.js";

/** Seconds, and blocks: as long as the actors are given. */
const CROWD_WAIT = 86_400;
/** A run is given seven million, and begins only if that much is left. */
const TRADE_GAS = { leastGas: 7_600_000, usualGas: 1_800_000 };
/** It is given fourteen million, and stops letting others buy where little is left. */
const RUSH_GAS = { leastGas: 14_600_000, usualGas: 5_000_000 };
const FEES_GAS = { leastGas: 100_000, usualGas: 10_000 };

export type Program = { readonly address: Hex; readonly bytes: Hex; readonly facts: ProgramFacts };

export interface TradeQuestion {
  readonly markets: readonly Market[];
  readonly fresh: FreshAccounts;
  readonly supply: bigint;
  readonly timestamp: number;
  price<R extends ChainRead>(read: R): R;
}

type TradeAnswers = Pick<LaunchReadings, "trades" | "crowd" | "held" | "parts"> & {
  readonly seen: LaunchReadings["fees"]["conditions"]["seen"];
};

/** Trades of fresh accounts in every pool, and the fees that code can read meanwhile. */
export function planTrades(
  batch: Batch,
  joint: Joint,
  { markets, fresh, price }: TradeQuestion,
  analysis: CodeAnalysis | null,
): { parse(): TradeAnswers } {
  const { friend } = fresh;
  const [trader, creator] = fresh.traders;
  const [deepest] = markets;
  const balanceSlots = listBalanceSlots(analysis);
  let held: (() => Reading<HeldSale>) | null = null;
  const trades = markets.flatMap((market) => {
    const { pool, id } = market.pool;
    const named = { pool, ...(id !== undefined && { id }) };
    const own = joint.ask({
      read: price(readTrades(market, trader, friend)),
      scene: "as it is",
      ...TRADE_GAS,
    });
    const parsed = [() => ({ ...named, sender: trader, runs: parseTrades(own()) })];
    // Only a contract with code can trade in V4.
    if (market.pool.kind === "singleton") return parsed;
    const visit = batch.ask(price(readVisit(market, creator, friend, balanceSlots)));
    const sender = nameVisitor(market, creator, friend);
    if (market === deepest) held = () => parseHeld(nameHolder(market, creator, friend), visit());
    return [...parsed, () => ({ ...named, sender, runs: parseVisits(visit()) })];
  });
  const fees = deepest && joint.ask({ read: price(readFees(trader)), scene: "as it is", ...FEES_GAS });
  const crowd = deepest && batch.ask(price(readCrowd(deepest, trader)));
  return {
    parse: () => ({
      trades: trades.map((parse) => parse()),
      crowd: crowd ? parseCrowd(trader, crowd()) : null,
      parts: crowd ? parseParts(crowd()) : null,
      held: held?.() ?? null,
      seen: fees ? parseFees(fees()) : absent,
    }),
  };
}

const [BALANCE_OF, ALLOWANCE] = ["0x70a08231", "0xdd62ed3e"];

/** Where the token keeps what accounts have, as far as its function for it shows. */
export const listBalanceSlots = (analysis: CodeAnalysis | null): bigint[] =>
  (analysis?.storage ?? [])
    .filter(({ type, reads }) => /^mapping\(address ?=> ?uint256\)$/.test(type) && reads.includes(BALANCE_OF))
    .map(({ slot }) => BigInt(slot));

/** Where it keeps what they let others spend. */
export const listAllowanceSlots = (analysis: CodeAnalysis | null): bigint[] =>
  (analysis?.storage ?? [])
    .filter(
      ({ type, reads }) =>
        /^mapping\(address ?=> ?mapping\(address ?=> ?uint256\)\)$/.test(type) && reads.includes(ALLOWANCE),
    )
    .map(({ slot }) => BigInt(slot));

const readFees = (trader: Hex): CallRead => callLaunchProbe(trader, "fees", [], {});

type TrialAnswers = Pick<LaunchReadings, "later" | "crowdLater" | "rush" | "plain" | "leftOut"> & {
  readonly actors: LaunchReadings["actors"];
  readonly parts?: LaunchReadings["parts"];
};

/** What time, other accounts and each key could do to a sale in the deepest pool. */
export function planTrials(
  batch: Batch,
  joint: Joint,
  { markets, fresh, supply, timestamp, price }: TradeQuestion,
  program: Program | null,
  analysis: Reading<CodeAnalysis>,
  words: ReadonlyMap<Hex, Reading<Hex>>,
  acting: readonly Key[],
): { readonly acting: readonly Key[]; parse(): TrialAnswers } {
  const [deepest] = markets;
  if (!deepest)
    return {
      acting,
      parse: () => ({
        later: null,
        crowdLater: null,
        rush: null,
        plain: [],
        leftOut: [],
        actors: null,
      }),
    };
  const patched = program ? patchMarkets(deepest, program, timestamp) : null;
  const [trader] = fresh.traders;
  const readsOrigin = program?.facts.opcodes.includes("ORIGIN") ?? false;
  const later = patched?.clock ? batch.ask(price(readLater(patched.clock, trader))) : null;
  const crowdLater = patched?.clock ? batch.ask(price(readCrowd(patched.clock, trader, CROWD_WAIT))) : null;
  const rush = joint.ask({
    read: price(patched?.clock ? readRush(patched.clock, trader, CROWD_WAIT) : readRush(deepest, trader)),
    scene: patched?.clock ? "other clock" : "as it is",
    ...RUSH_GAS,
  });
  const plain = [
    ...(patched?.plain ? [{ sender: trader, market: patched.plain }] : []),
    ...(readsOrigin ? nameOrigins(trader) : []).map((sender) => ({
      sender,
      market: patched?.plain ?? deepest,
    })),
  ].map(({ sender, market }) => ({
    sender,
    answer: batch.ask(price(readTrades(market, sender, fresh.friend))),
  }));
  const actors =
    analysis.status === "value"
      ? planActors(batch, joint, {
          market: patched?.exercised ?? deepest,
          isClockReplaced: patched?.exercised !== undefined,
          analysis: analysis.value,
          numbers: program?.facts.numbers.map(BigInt) ?? [],
          keys: acting.map((key) => key.address),
          words,
          fresh,
          supply,
          nowSeconds: BigInt(timestamp),
          readsOrigin,
          price,
        })
      : null;
  return {
    acting,
    parse: () => ({
      later: later ? parseLater(later()) : null,
      crowdLater: crowdLater ? parseCrowd(trader, crowdLater()) : null,
      rush: parseRush(trader, rush()),
      ...(crowdLater && chooseParts(parseParts(crowdLater()), patched?.exercised !== undefined)),
      plain: plain.map(({ sender, answer }) => ({
        pool: deepest.pool.pool,
        sender,
        runs: parseTrades(answer()),
      })),
      leftOut: actors?.leftOut ?? [],
      actors: actors?.parse() ?? [],
    }),
  };
}

/**
 * The sales in parts that a wait separates. Where the program uses its own balance, the clock may have been spent, and then the
 * sales without a wait count, unless these succeeded.
 */
function chooseParts(parts: Reading<SalesInParts>, isClockSafe: boolean) {
  const isSold = parts.status === "value" && parts.value.legs?.every(({ success }) => success) === true;
  return isClockSafe || isSold ? { parts } : {};
}

/** The market with the clock of the program replaced, and with its view of accounts replaced, where it has them. */
function patchMarkets(market: Market, { address, bytes, facts }: Program, timestamp: number) {
  const readsClock = facts.opcodes.includes("NUMBER") || facts.opcodes.includes("TIMESTAMP");
  const clock: Market | null = readsClock
    ? { ...market, replaced: { address, code: patchClock(bytes), clock: BigInt(timestamp) } }
    : null;
  const plain: Market | null = looksAtCode(bytes)
    ? { ...market, replaced: { address, code: patchLooks(bytes) } }
    : null;
  // A program that uses its own balance would mistake the clock for money.
  const isClockSafe = !facts.opcodes.includes("SELFBALANCE");
  return { clock, plain, ...(clock && isClockSafe && { exercised: clock }) };
}
