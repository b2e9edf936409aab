import { readLeadingWord } from "../shared/words/readLeadingWord.js";
import {
  type Borrowed,
  type BorrowTerms,
  computeBorrow,
  MorphoRevert,
  type Refusal,
} from "./computeBorrow.js";
import { type FoundMarket, findLendingMarket, type LendingMarketSearch } from "./findLendingMarket.js";
import type { LendingCollateralInput } from "./input.js";
import type { LendingCollateralReadings } from "./readings.js";

export type MarketReadings = NonNullable<LendingCollateralReadings["market"]>;

/** What Morpho's arithmetic makes of the borrow. */
export type Computation =
  | { readonly status: "computed"; readonly borrowed: Borrowed }
  /** It reverts before there are totals to compare. */
  | { readonly status: "reverts"; readonly refusal: Refusal };

/** One question with what was found about it: what every judge function takes. */
export interface LendingCase {
  readonly input: LendingCollateralInput;
  readonly readings: LendingCollateralReadings;
  readonly amount: bigint;
  readonly search: LendingMarketSearch;
  /** Null where the market was not found, or nothing further was read of it. */
  readonly found: (FoundMarket & { readonly read: MarketReadings }) | null;
  /** Null where the price or the rate is not known. */
  readonly terms: BorrowTerms | null;
  readonly computation: Computation | null;
}

export function openLendingCase(
  input: LendingCollateralInput,
  readings: LendingCollateralReadings,
): LendingCase {
  const amount = BigInt(input.borrowAmountWei);
  const search = findLendingMarket(input, readings.slots);
  const found = search.status === "found" && readings.market ? { ...search, read: readings.market } : null;
  const terms = found && findTerms(found, readings);
  return {
    input,
    readings,
    amount,
    search,
    found,
    terms,
    computation: found && terms && compute(found, terms, amount),
  };
}

const NO_MODEL = /^0x0{40}$/;
export const hasInterestModel = ({ params }: FoundMarket): boolean => !NO_MODEL.test(params.irm);

function findTerms(
  found: FoundMarket & { readonly read: MarketReadings },
  readings: LendingCollateralReadings,
) {
  const price = readLeadingWord(found.read.oracle.price);
  const rate = found.read.irm ? readLeadingWord(found.read.irm.rate) : null;
  if (price === null || (rate === null && hasInterestModel(found))) return null;
  return {
    lltv: found.params.lltv,
    price,
    ratePerSecond: rate,
    timestamp: BigInt(readings.block.timestamp),
  };
}

function compute({ market, position }: FoundMarket, terms: BorrowTerms, amount: bigint): Computation {
  try {
    return { status: "computed", borrowed: computeBorrow(market, position, terms, amount) };
  } catch (error) {
    if (!(error instanceof MorphoRevert)) throw error;
    return { status: "reverts", refusal: error.refusal };
  }
}
