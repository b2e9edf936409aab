import type { Reading } from "@assay/protocol";
import { maxUint256 } from "viem";
import type { Note } from "../verdict/note.js";
import type { DecodedSwap } from "./decodedSwap.js";
import { listMarketQuestions } from "./marketQuestions.js";

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
  const answered = listMarketQuestions(swap)
    .map(({ leg }, index) => ({ leg, amount: amounts[index] ?? 0n }))
    .filter(({ amount }) => amount > 0n);
  const pick = (side: string, over: string | null) =>
    answered.filter(({ leg }) => leg.side === side && leg.over === over).map(({ amount }) => amount);
  const overs = new Set(answered.flatMap(({ leg }) => leg.over ?? []));
  const indirect = [...overs].map((over) => {
    const brought = greatest(pick("first", over));
    const costs = pick("second", over);
    const cost = costs.reduce((least, one) => (one < least ? one : least), costs[0] ?? 0n);
    return cost === 0n ? 0n : (brought * swap.amountOut) / cost;
  });
  return greatest([...pick("whole", null), ...indirect]);
}

const greatest = (amounts: readonly bigint[]) => amounts.reduce((most, one) => (one > most ? one : most), 0n);

function noteLoss(missing: bigint): Note<MarketCode>[] {
  if (missing > BLOCK_BPS) return [{ code: "PRICE_FAR_BELOW_MARKET" }];
  return missing > REVIEW_BPS ? [{ code: "PRICE_BELOW_MARKET" }] : [];
}
