import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import type { LaunchPool } from "./poolReadings.js";
import { rankPools } from "./rankPools.js";

const WETH: Hex = "0x4200000000000000000000000000000000000006";
const STABLECOIN: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
/** An ether for 2,000. */
const pricing = { weth: (10n * ETHER).toString(), stablecoin: (20_000n * DOLLAR).toString() };

const pool = (name: number, quote: Hex, balance: bigint, changes: Partial<LaunchPool> = {}): LaunchPool => ({
  kind: "classic",
  quote,
  fee: 3000,
  isRead: true,
  pool: `0x${name.toString().padStart(40, "0")}`,
  quoteBalance: balance.toString(),
  tokenBalance: "1",
  ...changes,
});
const rank = (found: LaunchPool[], prices = pricing) =>
  rankPools({ found, pricing: prices }, WETH).map(({ pool: address, depthWei }) => [
    Number(address.slice(2)),
    depthWei,
  ]);

test("pools against different tokens are compared by what they hold", () => {
  expect(rank([pool(1, WETH, ETHER), pool(2, STABLECOIN, 3_000n * DOLLAR)])).toEqual([
    [2, (3n * ETHER) / 2n],
    [1, ETHER],
  ]);
});

test("without a price an ether counts as 3,000", () => {
  const prices = { weth: "0", stablecoin: "0" };
  expect(rank([pool(1, WETH, ETHER), pool(2, STABLECOIN, 2_999n * DOLLAR)], prices)[0]?.[0]).toBe(1);
  expect(rank([pool(1, WETH, ETHER), pool(2, STABLECOIN, 3_001n * DOLLAR)], prices)[0]?.[0]).toBe(2);
});

test("dust and absent pools are left out, and of one kind only the deepest is kept", () => {
  const concentrated = (name: number, balance: bigint) => pool(name, WETH, balance, { kind: "concentrated" });
  const found = [
    pool(1, WETH, ETHER / 100n - 1n),
    pool(2, STABLECOIN, 10n ** 30n, { pool: null }),
    concentrated(3, ETHER),
    concentrated(4, 2n * ETHER),
  ];
  expect(rank(found).map(([name]) => name)).toEqual([4]);
});
