import type { Reading } from "@assay/protocol";
import { type Hex, maxUint256 } from "viem";
import { findCanonicalToken } from "../chain-facts/canonicalTokens.js";
import type { Note } from "../verdict/note.js";
import type { DecodedSwap } from "./decodedSwap.js";
import { listMarketQuestions, type MarketLeg } from "./marketQuestions.js";

export type MarketCode = "PRICE_BELOW_MARKET" | "PRICE_FAR_BELOW_MARKET" | "SWAP_UNREAD";

export interface JudgedMarket {
  readonly notes: readonly Note<MarketCode>[];
  readonly limitations: readonly string[];
  readonly market: {
    /** What the best of the exchanges would give for what the swap pays, in units of the output token. */
    readonly gives: string;
    /** By how much the swap gives less, in hundredths of a percent. */
    readonly lossBps: number;
  } | null;
}

const REVIEW_BPS = 500n;
const BLOCK_BPS = 2000n;
const WHOLE_BPS = 10_000n;
/** With fewer units than this, rounding alone is a percent. */
const MIN_UNITS = 100n;

const UNKNOWN =
  "No pool of Uniswap V2 or V3, Aerodrome or Slipstream gives a price for this pair and amount, so the swap's price was compared with no market.";
const unasked: Note<MarketCode> = {
  code: "SWAP_UNREAD",
  limitation:
    "What other pools would give was not read whole, so the swap's price is not compared with a market.",
};

/** The swap's price against the best that exchanges would give for the same amount at the same block. */
export function judgeMarket(
  swap: DecodedSwap,
  answers: Reading<readonly string[]> | null,
  given: { readonly paid: bigint; readonly received: bigint } | null,
): JudgedMarket {
  // Where a hundredth of the swap is nothing, nobody was asked, and the price impact is unknown too.
  if (given === null || answers === null) return { notes: [], limitations: [], market: null };
  const amounts = answers.status === "value" ? answers.value.map(BigInt) : null;
  if (amounts === null || amounts.includes(maxUint256))
    return { notes: [unasked], limitations: [], market: null };
  const best = findBest(swap, amounts);
  const gives = swap.amountIn === 0n ? 0n : (best * given.paid) / swap.amountIn;
  if (gives < MIN_UNITS) return { notes: [], limitations: [UNKNOWN], market: null };
  const missing = gives > given.received ? ((gives - given.received) * WHOLE_BPS) / gives : 0n;
  return {
    notes: noteLoss(missing),
    limitations: [],
    market: { gives: gives.toString(), lossBps: Number(missing) },
  };
}

/** For the whole input, directly or over one other token; zero where no pool answered. */
function findBest(swap: DecodedSwap, amounts: readonly bigint[]): bigint {
  const { tokenIn, tokenOut, amountOut } = swap;
  const answered = listMarketQuestions(swap)
    .map(({ leg }, index) => ({ leg, amount: amounts[index] ?? 0n }))
    .filter(({ amount }) => amount > 0n);
  const pick = (side: MarketLeg["side"], over: Hex | null) =>
    answered
      .filter(({ leg }) => leg.side === side && leg.over === over)
      .map(({ amount }) => amount)
      .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const overs = new Set(answered.flatMap(({ leg }) => leg.over ?? []));
  const ways = [...overs].map((over) => {
    const brought = choose([...pick("first", over)].reverse(), tokenIn, over);
    const cost = choose(pick("second", over), over, tokenOut);
    return cost === 0n ? 0n : (brought * amountOut) / cost;
  });
  const direct = choose([...pick("whole", null)].reverse(), tokenIn, tokenOut);
  return ways.reduce((most, one) => (one > most ? one : most), direct);
}

/**
 * The best answer, which comes first. Published tokens have many pools, and one of three that alone is better is a mistake of
 * its owner and not the market. Any other token may have its only honest price in one pool.
 */
function choose(answers: readonly bigint[], one: Hex, other: Hex): bigint {
  const arePublished = [one, other].every((token) => findCanonicalToken(token) !== undefined);
  return answers[arePublished && answers.length > 2 ? 1 : 0] ?? 0n;
}

function noteLoss(missing: bigint): Note<MarketCode>[] {
  if (missing > BLOCK_BPS) return [{ code: "PRICE_FAR_BELOW_MARKET" }];
  return missing > REVIEW_BPS ? [{ code: "PRICE_BELOW_MARKET" }] : [];
}
