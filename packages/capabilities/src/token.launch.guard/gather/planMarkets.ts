import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading } from "@assay/protocol";
import { BURN_ADDRESSES } from "../../shared/control/judgeOwnership.js";
import type { LaunchVenues } from "../../shared/pools/launchVenues.js";
import type { DeepPool } from "../../shared/pools/rankPools.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import type { TokenLaunchReadings } from "../readings.js";
import {
  type Market,
  nameVisitor,
  parseExercise,
  parseTrades,
  parseVisits,
  readExercise,
  readTrades,
  readVisit,
  SHARES_BPS,
} from "./launchProbe.js";
import { listTrials } from "./listTrials.js";

/** Accounts that nobody can have prepared: their addresses follow from the block's hash. */
export interface FreshAccounts {
  readonly traders: readonly [Hex, Hex];
  readonly friend: Hex;
  readonly nobody: Hex;
}

interface MarketQuestion {
  readonly venues: LaunchVenues;
  readonly address: Hex;
  readonly fresh: FreshAccounts;
  /** The deepest first. */
  readonly ranked: readonly DeepPool[];
  /** Null when the token has no owner. */
  readonly owner: Hex | null;
  readonly totalSupply: Reading<string>;
  /** The functions of the token; null where they are not known yet. */
  readonly selectors: readonly Hex[] | null;
}

type MarketReadings = Pick<TokenLaunchReadings, "trades" | "powers" | "liquidity">;

/** Some reads, and how to parse their answers. */
interface Part<T> {
  readonly reads: readonly CallRead[];
  parse(answers: readonly Reading<Hex>[]): T;
}

/** The reads about a token's pools, for one batch. */
export function planMarkets(question: MarketQuestion): Part<MarketReadings> {
  const [deepest] = question.ranked;
  const trades = planTrades(question);
  const powers = deepest ? planPowers(question, deepest) : null;
  const liquidity = deepest?.kind === "classic" ? planLiquidity(question, deepest.pool) : null;
  const reads = [...trades.reads, ...(powers?.reads ?? []), ...(liquidity?.reads ?? [])];
  return {
    reads,
    parse(answers) {
      const afterTrades = answers.slice(trades.reads.length);
      return {
        trades: trades.parse(answers),
        powers: powers?.parse(afterTrades) ?? null,
        liquidity: liquidity?.parse(afterTrades.slice(powers?.reads.length ?? 0)) ?? null,
      };
    },
  };
}

/** In each pool, an account with code at its address and a contract that has none yet. */
function planTrades({ venues, address, fresh, ranked }: MarketQuestion): Part<MarketReadings["trades"]> {
  const [trader, creator] = fresh.traders;
  const perPool = ranked.map((pool) => {
    const market: Market = { venues, token: address, pool };
    const visits = SHARES_BPS.map((shareBps) => readVisit(market, creator, fresh.friend, shareBps));
    return [readTrades(market, trader, fresh.friend), ...visits];
  });
  return {
    reads: perPool.flat(),
    parse: (answers) =>
      ranked.flatMap(({ pool }, index) => {
        const first = index * (1 + SHARES_BPS.length);
        const visits = answers.slice(first + 1, first + 1 + SHARES_BPS.length);
        return [
          { pool, sender: trader, runs: parseTrades(answers[first] ?? noAnswer) },
          { pool, sender: nameVisitor(creator), runs: parseVisits(visits) },
        ];
      }),
  };
}

function planPowers(question: MarketQuestion, pool: DeepPool): Part<NonNullable<MarketReadings["powers"]>> {
  const { venues, address, fresh, owner, selectors, totalSupply } = question;
  const [trader] = fresh.traders;
  const supply =
    totalSupply.status === "value" && /^0x[0-9a-f]{64}$/.test(totalSupply.value)
      ? BigInt(totalSupply.value)
      : 0n;
  const { calls, leftOut } = listTrials(selectors, { trader, pool: pool.pool, supply });
  const market: Market = { venues, token: address, pool };
  const caller = owner ?? fresh.nobody;
  const { weth, classic, concentrated } = venues;
  const parties = [
    address,
    pool.pool,
    pool.quote,
    weth,
    ...Object.values(classic),
    ...Object.values(concentrated),
  ];
  return {
    // The probe replaces the caller's code, which would change a party of the trade.
    reads: parties.includes(caller)
      ? []
      : calls.map((trials) => readExercise(market, trader, caller, trials)),
    parse(answers) {
      const exercises = parties.includes(caller)
        ? []
        : calls.map((trials, index) => parseExercise(trials, answers[index] ?? noAnswer));
      return { caller, role: owner === null ? "anyone" : "owner", trader, exercises, leftOut: [...leftOut] };
    },
  };
}

function planLiquidity(
  { address, owner }: MarketQuestion,
  pool: Hex,
): Part<NonNullable<MarketReadings["liquidity"]>> {
  const call = (data: Hex): CallRead => ({ kind: "call", to: pool, data });
  const balanceOf = (holder: Hex) => call(`0x70a08231${holder.slice(2).padStart(64, "0")}`);
  const holders = [...BURN_ADDRESSES, address, ...(owner === null ? [] : [owner])];
  return {
    reads: [call("0x18160ddd"), ...holders.map(balanceOf)],
    parse(answers) {
      const share = (index: number) => cutAnswer(answers[index], WORD_ANSWER_BYTES);
      return {
        pool,
        totalSupply: share(0),
        atZero: share(1),
        atDead: share(2),
        atToken: share(3),
        atOwner: owner === null ? null : share(4),
      };
    },
  };
}
