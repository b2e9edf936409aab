import type { Hex } from "@assay/protocol";
import type { LaunchPool, LaunchPools } from "./poolReadings.js";

/** A pool with less than this says nothing about a token: a hundredth of an ether, in wei. */
const MIN_DEPTH_WEI = 10n ** 16n;
/** Where no pair gives a price, this amount of the stablecoin (six decimals) counts as one ether. */
const ASSUMED_PRICE = 3_000n * 10n ** 6n;
const ETHER = 10n ** 18n;

export interface DeepPool extends LaunchPool {
  readonly pool: Hex;
  /** What it holds of the quote token, in wei of the native currency. */
  readonly depthWei: bigint;
}

/**
 * The pools deep enough to judge a token by, the deepest first, at most one of each kind, quote token and hook. Anyone can
 * open a pool with a tiny amount in it, so the deepest decides and the others are only compared with it. Those that only events name
 * come last: they are traded in before it is known what they hold.
 */
export function rankPools({ found, pricing }: LaunchPools, weth: string): DeepPool[] {
  const price =
    pricing.weth === "0" ? ASSUMED_PRICE : (BigInt(pricing.stablecoin) * ETHER) / BigInt(pricing.weth);
  const deep = found
    .flatMap((entry): DeepPool[] => {
      if (entry.pool === null) return [];
      const balance = BigInt(entry.quoteBalance);
      const perEther = entry.perEther === undefined ? price || ASSUMED_PRICE : BigInt(entry.perEther);
      const isEther = entry.quote === weth || BigInt(entry.quote) === 0n;
      const depthWei = isEther ? balance : (balance * ETHER) / perEther;
      return depthWei < MIN_DEPTH_WEI ? [] : [{ ...entry, pool: entry.pool as Hex, depthWei }];
    })
    .sort((left, right) => {
      if (left.isNamed || right.isNamed)
        return Number(left.isNamed ?? false) - Number(right.isNamed ?? false);
      return left.depthWei < right.depthWei ? 1 : left.depthWei > right.depthWei ? -1 : 0;
    });
  const isSameMarket = (one: DeepPool, other: DeepPool) =>
    one.kind === other.kind &&
    one.quote === other.quote &&
    one.hooks === other.hooks &&
    one.isNamed === other.isNamed &&
    (!one.isNamed || one.id === other.id);
  return deep.filter((pool, index) => deep.findIndex((other) => isSameMarket(pool, other)) === index);
}
