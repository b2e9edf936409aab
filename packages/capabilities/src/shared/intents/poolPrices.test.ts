import { type Hex, unanswered, valueReading } from "@assay/protocol";
import { expect, test } from "vitest";
import { findPoolValue, type PricingPool } from "./poolPrices.js";

const LOW: Hex = "0x1111111111111111111111111111111111111111";
const QUOTE: Hex = "0x5555555555555555555555555555555555555555";
const HIGH: Hex = "0x9999999999999999999999999999999999999999";
const DOLLAR = 1_000_000n;
const pool = (parts: Partial<PricingPool>): PricingPool => ({
  pool: "0x2222222222222222222222222222222222222222",
  quote: QUOTE,
  quoteBalance: (50_000n * DOLLAR).toString(),
  tokenBalance: "25000",
  sqrtPriceX96: "0",
  ...parts,
});
/** The other token is a dollar coin. */
const find = (token: Hex, amount: bigint, pools: readonly PricingPool[]) =>
  findPoolValue([{ token, pools: valueReading([...pools]) }], token, amount, (_, dollars) => dollars)?.value;

test("the deepest pool decides", () => {
  const deep = pool({ quoteBalance: (90_000n * DOLLAR).toString(), tokenBalance: "30000" });
  expect(find(LOW, 10n, [pool({})])).toBe(20n * DOLLAR);
  expect(find(LOW, 10n, [pool({}), deep])).toBe(30n * DOLLAR);
});

test("a concentrated pool prices by its root, whichever of its tokens comes first", () => {
  // One unit of the token for four of the other.
  const [token0, token1] = [
    pool({ sqrtPriceX96: (2n << 96n).toString() }),
    pool({ sqrtPriceX96: (2n ** 95n).toString() }),
  ];
  expect(find(LOW, 1_000n, [token0])).toBe(4_000n);
  expect(find(HIGH, 1_000n, [token1])).toBe(4_000n);
});

test("no price comes from a shallow pool, from an empty one, or for more than a pool could trade", () => {
  expect(find(LOW, 10n, [pool({ quoteBalance: (9_999n * DOLLAR).toString() })])).toBeUndefined();
  expect(find(LOW, 10n, [pool({ tokenBalance: "0" })])).toBeUndefined();
  expect(find(LOW, 5_000n, [pool({})])).toBe(10_000n * DOLLAR);
  expect(find(LOW, 5_001n, [pool({})])).toBeUndefined();
  expect(find(LOW, 10n, [])).toBeUndefined();
});

test("pools that were not read give no price", () => {
  const unread = [{ token: LOW, pools: unanswered("timeout") }];
  expect(findPoolValue(unread, LOW, 1n, (_, dollars) => dollars)).toBeUndefined();
});
