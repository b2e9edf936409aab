/** Roots of prices times 2^96. A price is what one unit of token0 costs in units of token1. */
export interface Range {
  readonly lower: bigint;
  readonly upper: bigint;
}

const Q96 = 2n ** 96n;
const MAX_TICK = 887_272;

/** Each tick changes the price by one in ten thousand. */
export function rootAt(tick: number): bigint {
  let left = Math.min(Math.abs(Math.trunc(tick)) || 0, MAX_TICK);
  // By squares, with 128 bits behind the point.
  let [price, factor] = [1n << 128n, (10_001n << 128n) / 10_000n];
  for (; left > 0; left >>= 1) {
    if (left & 1) price = (price * factor) >> 128n;
    factor = (factor * factor) >> 128n;
  }
  return tick < 0 ? root((1n << 320n) / price) : root(price << 64n);
}

export const BOTTOM_ROOT = rootAt(-MAX_TICK);
export const TOP_ROOT = rootAt(MAX_TICK);

/** The root of the price that is this fraction. */
export const rootOf = (numerator: bigint, denominator: bigint): bigint =>
  root((numerator << 192n) / (denominator === 0n ? 1n : denominator));

function root(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** What a position that took these amounts holds once the price is another. */
export function holdingsAt(
  { lower, upper }: Range,
  [amount0, amount1]: readonly [bigint, bigint],
  at: bigint,
): readonly [bigint, bigint] {
  const was = findRoot(lower, upper, amount0, amount1);
  // Of a side that is nearly empty the other one says more exactly how much there is.
  const by0 = was < upper ? (amount0 * was * upper) / ((upper - was) * Q96) : 0n;
  const by1 = was > lower ? (amount1 * Q96) / (was - lower) : 0n;
  const liquidity = by0 > by1 ? by0 : by1;
  const now = at < lower ? lower : at > upper ? upper : at;
  return [(liquidity * (upper - now) * Q96) / (now * upper), (liquidity * (now - lower)) / Q96];
}

/** The price at which a pool takes the two amounts together. */
function findRoot(lower: bigint, upper: bigint, amount0: bigint, amount1: bigint): bigint {
  let [low, high] = [lower, upper];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    const isAbove = amount0 * (middle - lower) * middle * upper > amount1 * (upper - middle) * Q96 * Q96;
    if (isAbove) high = middle;
    else low = middle;
  }
  return amount1 === 0n ? lower : amount0 === 0n ? upper : low;
}
