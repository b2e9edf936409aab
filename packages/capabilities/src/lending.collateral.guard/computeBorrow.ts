/** A market's totals as Morpho stores them, in the smallest units of the loan token and in shares. */
export interface MarketState {
  readonly totalSupplyAssets: bigint;
  readonly totalSupplyShares: bigint;
  readonly totalBorrowAssets: bigint;
  readonly totalBorrowShares: bigint;
  /** Unix seconds. */
  readonly lastUpdate: bigint;
  /** The part of the interest that is not the suppliers', of 10^18. */
  readonly fee: bigint;
}

export interface PositionState {
  readonly borrowShares: bigint;
  /** In the smallest unit of the collateral token. */
  readonly collateral: bigint;
}

/** What decides besides totals and position. */
export interface BorrowTerms {
  /** Of 10^18. */
  readonly lltv: bigint;
  /** Units of the loan token for one unit of collateral, times 10^36. */
  readonly price: bigint;
  /** Interest a second, of 10^18; null in a market without an interest model. */
  readonly ratePerSecond: bigint | null;
  /** Unix seconds at which the borrow runs. */
  readonly timestamp: bigint;
}

/** In the words of Morpho's own errors, but for the arithmetic that Solidity refuses. */
export type Refusal =
  | "insufficient collateral"
  | "insufficient liquidity"
  | "max uint128 exceeded"
  | "arithmetic overflow";

export interface Debt {
  /** What would have to be repaid, rounded up. */
  readonly borrowed: bigint;
  /** What the collateral allows, rounded down. */
  readonly maxBorrow: bigint;
}

export interface Borrowed {
  readonly market: MarketState;
  readonly position: PositionState;
  /** Shares of the debt that this borrow adds. */
  readonly shares: bigint;
  readonly debt: Debt;
  /** Why Morpho refuses it, in the order of Morpho's checks; empty when it does not. */
  readonly refusals: readonly Refusal[];
}

/** Morpho would revert at this point. */
export class MorphoRevert extends Error {
  override readonly name = "MorphoRevert";
  constructor(readonly refusal: "max uint128 exceeded" | "arithmetic overflow") {
    super(refusal);
  }
}

const WAD = 10n ** 18n;
const PRICE_SCALE = 10n ** 36n;
/** Against manipulated share prices; they also give an empty market its first price. */
const VIRTUAL_SHARES = 10n ** 6n;
const VIRTUAL_ASSETS = 1n;

/** As Solidity checks every operation on 256, and on 128 bits where totals are kept. */
function fit(value: bigint, bits: bigint): bigint {
  if (value < 0n || value >> bits !== 0n) throw new MorphoRevert("arithmetic overflow");
  return value;
}
const word = (value: bigint) => fit(value, 256n);
const total = (value: bigint) => fit(value, 128n);
function toUint128(value: bigint): bigint {
  if (value >> 128n !== 0n) throw new MorphoRevert("max uint128 exceeded");
  return value;
}
const mulDivDown = (x: bigint, y: bigint, d: bigint) => word(x * y) / d;
const mulDivUp = (x: bigint, y: bigint, d: bigint) => word(word(x * y) + (d - 1n)) / d;
const toSharesDown = (assets: bigint, totalAssets: bigint, totalShares: bigint) =>
  mulDivDown(assets, totalShares + VIRTUAL_SHARES, totalAssets + VIRTUAL_ASSETS);
const toSharesUp = (assets: bigint, totalAssets: bigint, totalShares: bigint) =>
  mulDivUp(assets, totalShares + VIRTUAL_SHARES, totalAssets + VIRTUAL_ASSETS);
const toAssetsUp = (shares: bigint, totalAssets: bigint, totalShares: bigint) =>
  mulDivUp(shares, totalAssets + VIRTUAL_ASSETS, totalShares + VIRTUAL_SHARES);

/** e^(rate × seconds) − 1 by its first three terms, each rounded down. */
function compound(ratePerSecond: bigint, seconds: bigint): bigint {
  const first = word(ratePerSecond * seconds);
  const second = mulDivDown(first, first, 2n * WAD);
  const third = mulDivDown(second, first, 3n * WAD);
  return word(first + second + third);
}

/** The market once its interest is added up to a moment. Throws `MorphoRevert`. */
export function accrueInterest(
  market: MarketState,
  { ratePerSecond, timestamp }: Pick<BorrowTerms, "ratePerSecond" | "timestamp">,
): MarketState {
  const elapsed = word(timestamp - market.lastUpdate);
  if (elapsed === 0n) return market;
  if (ratePerSecond === null) return { ...market, lastUpdate: timestamp };
  const interest = toUint128(mulDivDown(market.totalBorrowAssets, compound(ratePerSecond, elapsed), WAD));
  const totalBorrowAssets = total(market.totalBorrowAssets + interest);
  const totalSupplyAssets = total(market.totalSupplyAssets + interest);
  const feeAmount = mulDivDown(interest, market.fee, WAD);
  // The supply already holds the fee, which must not be bought with itself.
  const feeShares =
    market.fee === 0n
      ? 0n
      : toUint128(toSharesDown(feeAmount, word(totalSupplyAssets - feeAmount), market.totalSupplyShares));
  return {
    ...market,
    totalBorrowAssets,
    totalSupplyAssets,
    totalSupplyShares: total(market.totalSupplyShares + feeShares),
    lastUpdate: timestamp,
  };
}

/** What is owed, and what the collateral allows. Throws `MorphoRevert`. */
export function measureDebt(
  { totalBorrowAssets, totalBorrowShares }: MarketState,
  { borrowShares, collateral }: PositionState,
  { price, lltv }: Pick<BorrowTerms, "price" | "lltv">,
): Debt {
  return {
    borrowed: toAssetsUp(borrowShares, totalBorrowAssets, totalBorrowShares),
    maxBorrow: mulDivDown(mulDivDown(collateral, price, PRICE_SCALE), lltv, WAD),
  };
}

/** Everything Morpho's `borrow` computes before it pays out. Throws `MorphoRevert` where there is no result to compare. */
export function computeBorrow(
  before: MarketState,
  holder: PositionState,
  terms: BorrowTerms,
  assets: bigint,
): Borrowed {
  const accrued = accrueInterest(before, terms);
  const shares = toUint128(toSharesUp(assets, accrued.totalBorrowAssets, accrued.totalBorrowShares));
  const position = { ...holder, borrowShares: total(holder.borrowShares + shares) };
  const market = {
    ...accrued,
    totalBorrowShares: total(accrued.totalBorrowShares + shares),
    totalBorrowAssets: total(accrued.totalBorrowAssets + toUint128(assets)),
  };
  const debt = measureDebt(market, position, terms);
  const refusals: Refusal[] = [];
  if (debt.maxBorrow < debt.borrowed) refusals.push("insufficient collateral");
  if (market.totalBorrowAssets > market.totalSupplyAssets) refusals.push("insufficient liquidity");
  return { market, position, shares, debt, refusals };
}

/** What the collateral allows for each unit owed, of 10^18 and rounded down; below 10^18 it can be liquidated. Null without a debt. */
export const healthOf = ({ borrowed, maxBorrow }: Debt): bigint | null =>
  borrowed === 0n ? null : (maxBorrow * WAD) / borrowed;

/** What collateral must be worth to carry a debt. */
const worthNeeded = ({ borrowed }: Debt, lltv: bigint) => divideUp(borrowed * WAD, lltv);

/** The lowest price at which the position is still healthy; null where no price makes it so. */
export function lowestHealthyPrice(debt: Debt, collateral: bigint, lltv: bigint): bigint | null {
  if (collateral === 0n || lltv === 0n) return null;
  return divideUp(worthNeeded(debt, lltv) * PRICE_SCALE, collateral);
}

/** The least collateral that carries the debt; null where none does. */
export function leastCollateral(
  debt: Debt,
  { price, lltv }: Pick<BorrowTerms, "price" | "lltv">,
): bigint | null {
  if (price === 0n || lltv === 0n) return null;
  return divideUp(worthNeeded(debt, lltv) * PRICE_SCALE, price);
}

const divideUp = (x: bigint, d: bigint) => (x + d - 1n) / d;

/** The most that Morpho would lend now: the largest amount it does not refuse. */
export function mostBorrowable(market: MarketState, position: PositionState, terms: BorrowTerms): bigint {
  return findLast(1n, 2n ** 128n - 1n, (assets) =>
    holds(() => computeBorrow(market, position, terms, assets).refusals.length === 0),
  );
}

/** How far ahead interest at this rate is computed: ten years of 365 days, in seconds. */
const HORIZON_SECONDS = 315_360_000n;

/** After how many seconds interest alone, at the rate read, makes the position unhealthy; null if not in ten years. */
export function secondsUntilUnhealthy({ market, position }: Borrowed, terms: BorrowTerms): bigint | null {
  if (terms.ratePerSecond === null) return null;
  const isHealthyAfter = (seconds: bigint) =>
    holds(() => {
      const later = accrueInterest(market, { ...terms, timestamp: market.lastUpdate + seconds });
      const { borrowed, maxBorrow } = measureDebt(later, position, terms);
      return maxBorrow >= borrowed;
    });
  const last = findLast(1n, HORIZON_SECONDS, isHealthyAfter);
  return last === HORIZON_SECONDS ? null : last + 1n;
}

function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    if (error instanceof MorphoRevert) return false;
    throw error;
  }
}

/** The largest number for which it holds, where it holds up to some number and never after; `first - 1` if for none. */
function findLast(first: bigint, last: bigint, isMet: (value: bigint) => boolean): bigint {
  let [low, high] = [first - 1n, last];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (isMet(middle)) low = middle;
    else high = middle - 1n;
  }
  return low;
}
