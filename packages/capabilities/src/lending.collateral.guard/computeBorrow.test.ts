import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type BorrowTerms,
  computeBorrow,
  leastCollateral,
  lowestHealthyPrice,
  MorphoRevert,
  measureDebt,
  mostBorrowable,
  secondsUntilUnhealthy,
} from "./computeBorrow.js";

const WAD = 10n ** 18n;
const market = {
  totalSupplyAssets: 1_000_000_000_000n,
  totalSupplyShares: 10n ** 18n,
  totalBorrowAssets: 100_000_000_000n,
  totalBorrowShares: 10n ** 17n,
  lastUpdate: 1_000n,
  fee: WAD / 10n,
};
const position = { borrowShares: 0n, collateral: 10n * WAD };
const terms: BorrowTerms = {
  lltv: (86n * WAD) / 100n,
  price: 3000n * 10n ** 24n,
  ratePerSecond: 3_170_979_198n,
  timestamp: 1_000n,
};

test.each<[string, () => unknown, string]>([
  [
    "a price too large",
    () => computeBorrow(market, position, { ...terms, price: 2n ** 255n }, 1n),
    "arithmetic overflow",
  ],
  [
    "an amount too large",
    () => computeBorrow(market, position, terms, 2n ** 256n - 1n),
    "arithmetic overflow",
  ],
  [
    "shares of more than 128 bits",
    () => computeBorrow(market, position, terms, 2n ** 127n),
    "max uint128 exceeded",
  ],
  [
    "a rate too large",
    () => computeBorrow(market, position, { ...terms, ratePerSecond: 2n ** 255n, timestamp: 1_002n }, 1n),
    "arithmetic overflow",
  ],
  [
    "a market of the future",
    () => computeBorrow(market, position, { ...terms, timestamp: 999n }, 1n),
    "arithmetic overflow",
  ],
])("%s reverts as Solidity does", (_, compute, refusal) => {
  expect(compute).toThrow(new MorphoRevert(refusal as "arithmetic overflow"));
});

test("both refusals are reported, the one that Morpho gives first", () => {
  expect(computeBorrow(market, position, terms, 950_000_000_000n).refusals).toEqual([
    "insufficient collateral",
    "insufficient liquidity",
  ]);
});

test("without an interest model time adds nothing, and the time is noted", () => {
  const { market: after } = computeBorrow(
    market,
    position,
    { ...terms, ratePerSecond: null, timestamp: 9_000n },
    1n,
  );
  expect(after).toMatchObject({ totalSupplyAssets: market.totalSupplyAssets, lastUpdate: 9_000n });
  expect(
    secondsUntilUnhealthy(computeBorrow(market, position, terms, 1n), { ...terms, ratePerSecond: null }),
  ).toBeNull();
});

test("every line lies between the last number that holds and the first that does not", () => {
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 24n });
  fc.assert(
    fc.property(
      amounts,
      amounts,
      fc.bigInt({ min: WAD / 1000n, max: WAD - 1n }),
      amounts,
      (collateral, amount, lltv, price) => {
        const one = { ...terms, lltv, price: price * 10n ** 12n, timestamp: 50_000n };
        const holder = { borrowShares: 0n, collateral };
        const isHealthy = (debt: { borrowed: bigint; maxBorrow: bigint }) => debt.maxBorrow >= debt.borrowed;
        const borrowed = computeBorrow({ ...market, totalSupplyAssets: 2n ** 100n }, holder, one, amount);
        const measure = (changes: Partial<typeof one>, held = collateral) =>
          isHealthy(
            measureDebt(borrowed.market, { ...borrowed.position, collateral: held }, { ...one, ...changes }),
          );
        const lowest = lowestHealthyPrice(borrowed.debt, collateral, lltv) ?? 0n;
        expect([measure({ price: lowest }), measure({ price: lowest - 1n })]).toEqual([true, false]);
        const least = leastCollateral(borrowed.debt, one) ?? 0n;
        expect([measure({}, least), measure({}, least - 1n)]).toEqual([true, false]);
        const most = mostBorrowable(market, holder, one);
        const refused = (assets: bigint) => computeBorrow(market, holder, one, assets).refusals.length > 0;
        expect([most > 0n && refused(most), refused(most + 1n)]).toEqual([false, true]);
      },
    ),
  );
});
