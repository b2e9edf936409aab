import { priceFor } from "@assay/capabilities";
import type { CacheStatus, CapabilityPrices } from "@assay/protocol";

/** How long a quote stands, and how long the price in a challenge does, unless the answer that they price ends before. */
export const QUOTE_LIFE_MS = 60_000;
export const TICKET_LIFE_MS = 120_000;

/** Whether an offer of one status pays for an answer of another: nobody gets new work for the price of earlier work. */
export const isPaidBy = (prices: CapabilityPrices, actual: CacheStatus, offered: CacheStatus): boolean =>
  priceFor(prices, actual) <= priceFor(prices, offered);

/** When the stored answer that an offer prices ends, if new work would cost more; undefined where nothing ends the offer. */
export function endOfOffer(prices: CapabilityPrices, answerEndsAtMs: number | undefined): number | undefined {
  return isPaidBy(prices, "miss", "hit") ? undefined : answerEndsAtMs;
}

/**
 * What it costs to compute an expired artifact again: the listed price, but not less than a fresh answer of the artifact's
 * own capability, and not more than that capability asks for now.
 */
export function refreshPrice(
  ownMissMicroUsd: bigint,
  sourceHitMicroUsd: bigint,
  sourceNowMicroUsd: bigint,
): bigint {
  const tier = ownMissMicroUsd > sourceHitMicroUsd ? ownMissMicroUsd : sourceHitMicroUsd;
  return tier < sourceNowMicroUsd ? tier : sourceNowMicroUsd;
}
