import { type Hex, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = recordedAddressSchema;
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, "must be a decimal integer");

/** A pool in which a token is traded for one whose price is known. */
const pricingPoolSchema = z.strictObject({
  pool: address,
  quote: address,
  quoteBalance: decimal,
  tokenBalance: decimal,
  /** Root of token1's price in token0 times 2^96, of a concentrated pool; zero for one that prices by what it holds. */
  sqrtPriceX96: decimal,
});
export type PricingPool = z.output<typeof pricingPoolSchema>;

/** Pools of published tokens. The maker of any other token can also make its pools and their prices. */
export const poolPricesSchema = z
  .array(z.strictObject({ token: address, pools: readingSchema(z.array(pricingPoolSchema).max(48)) }))
  .max(8);
export type PoolPrices = z.output<typeof poolPricesSchema>;

/** Micro-dollars that the deepest pool must hold of the other token. */
const MIN_DEPTH = 10_000_000_000n;
/** Of the depth: more could not be traded near the pool's price. */
const TRADABLE_SHARE = 5n;

/**
 * What an amount of the token is worth in the pool that holds most of a priced token; undefined where none is deep enough.
 * `priceQuote` gives the micro-dollars of an amount of that other token.
 */
export function findPoolValue(
  prices: PoolPrices,
  token: Hex,
  amount: bigint,
  priceQuote: (quote: Hex, amount: bigint) => bigint | undefined,
): { readonly value: bigint; readonly pool: Hex } | undefined {
  const deepest = findDeepest(prices, token, priceQuote);
  if (deepest === undefined) return undefined;
  const { pool, depth } = deepest;
  const bought = convert(pool, token, amount);
  const value = bought === undefined ? undefined : priceQuote(pool.quote, bought);
  if (value === undefined || value * TRADABLE_SHARE > depth) return undefined;
  return { value, pool: pool.pool };
}

function findDeepest(
  prices: PoolPrices,
  token: Hex,
  priceQuote: (quote: Hex, amount: bigint) => bigint | undefined,
) {
  const pools = prices.find((one) => one.token === token)?.pools;
  if (pools?.status !== "value") return undefined;
  return pools.value
    .map((pool) => ({ pool, depth: priceQuote(pool.quote, BigInt(pool.quoteBalance)) ?? 0n }))
    .filter(({ depth }) => depth >= MIN_DEPTH)
    .reduce<{ pool: PricingPool; depth: bigint } | undefined>(
      (best, one) => (best === undefined || one.depth > best.depth ? one : best),
      undefined,
    );
}

/** The amount in the other token, at the pool's price. */
function convert(pool: PricingPool, token: Hex, amount: bigint): bigint | undefined {
  const root = BigInt(pool.sqrtPriceX96);
  if (root === 0n) {
    const held = BigInt(pool.tokenBalance);
    return held === 0n ? undefined : (amount * BigInt(pool.quoteBalance)) / held;
  }
  // Uniswap V3 orders the two tokens of a pool by their addresses.
  return token < pool.quote ? (amount * root * root) >> 192n : (amount << 192n) / (root * root);
}
