import type { Hex, Reading } from "@assay/protocol";
import { addressInWord, isAddressWord } from "../shared/words/addressInWord.js";
import type { MarketState, PositionState } from "./computeBorrow.js";
import type { LendingCollateralInput } from "./input.js";
import { type MarketParams, type MorphoSlot, marketIdOf, splitWord } from "./morphoLayout.js";
import type { LendingCollateralReadings } from "./readings.js";

export type LendingMarketSearch =
  /** A word was not read, or is not an address where an address must be. */
  | { readonly status: "unread"; readonly missing: readonly MorphoSlot[] }
  | { readonly status: "absent" }
  /** The parameters stored under the id do not hash to it, so it is not a market that Morpho created. */
  | { readonly status: "misfiled"; readonly params: MarketParams }
  | { readonly status: "otherTokens"; readonly params: MarketParams }
  | ({ readonly status: "found" } & FoundMarket);

export interface FoundMarket {
  readonly params: MarketParams;
  readonly market: MarketState;
  readonly position: PositionState;
}

type Slots = LendingCollateralReadings["slots"];

/** The market under the id, its totals and the user's position in it, out of Morpho's storage. */
export function findLendingMarket(input: LendingCollateralInput, slots: Slots): LendingMarketSearch {
  const words = new Map<MorphoSlot, Hex>();
  const missing: MorphoSlot[] = [];
  for (const [name, reading] of Object.entries(slots) as [MorphoSlot, Reading<Hex>][]) {
    const isAddress = ["loanToken", "collateralToken", "oracle", "irm"].includes(name);
    if (reading.status === "value" && (!isAddress || isAddressWord(reading.value)))
      words.set(name, reading.value);
    else missing.push(name);
  }
  if (missing.length > 0) return { status: "unread", missing };
  const wordOf = (name: MorphoSlot): Hex => words.get(name) as Hex;
  const [lastUpdate, fee] = splitWord(wordOf("lastUpdateAndFee"));
  // Morpho's own sign of a market that was never created.
  if (lastUpdate === 0n) return { status: "absent" };
  const params: MarketParams = {
    loanToken: addressInWord(wordOf("loanToken")),
    collateralToken: addressInWord(wordOf("collateralToken")),
    oracle: addressInWord(wordOf("oracle")),
    irm: addressInWord(wordOf("irm")),
    lltv: BigInt(wordOf("lltv")),
  };
  if (marketIdOf(params) !== input.marketId) return { status: "misfiled", params };
  if (params.loanToken !== input.loanToken || params.collateralToken !== input.collateralToken)
    return { status: "otherTokens", params };
  const [totalSupplyAssets, totalSupplyShares] = splitWord(wordOf("supplyTotals"));
  const [totalBorrowAssets, totalBorrowShares] = splitWord(wordOf("borrowTotals"));
  const [borrowShares, collateral] = splitWord(wordOf("borrowSharesAndCollateral"));
  return {
    status: "found",
    params,
    market: { totalSupplyAssets, totalSupplyShares, totalBorrowAssets, totalBorrowShares, lastUpdate, fee },
    position: { borrowShares, collateral },
  };
}
