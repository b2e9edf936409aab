import { findCapability } from "@assay/client";
import type { CacheStatus, CapabilityEntry } from "@assay/protocol";
import { formatUsd } from "../ui/format.js";
import type { Price } from "./usePrice.js";

/** How long a quote is valid. */
const QUOTE_SECONDS = 60;
/** Two clocks may disagree by this much. */
const CLOCKS_APART_SECONDS = 60;
/** A millionth of a dollar is the smallest difference there is. */
const LESS_THAN_A_MICRO = 1e-7;

/** What in a price contradicts the service's own catalog or the contract, in words; undefined where nothing does. */
export function doubtPrice(
  { usd, quote }: Pick<Price, "usd" | "quote">,
  entry: CapabilityEntry,
  secondsLeft: number | undefined,
): string | undefined {
  const { cacheMissUsd } = entry.pricing;
  if (isMore(usd, cacheMissUsd)) return `The catalog lists at most ${formatUsd(cacheMissUsd)} for this call.`;
  if (!quote) return undefined;
  const { cacheStatus, listPriceUsd, creditAppliedUsd } = quote;
  const listed = listedFor(cacheStatus, entry);
  // An artifact is computed again at the price of the capability it came from, up to the listed price.
  const isFixed = findCapability(entry.id)?.record?.kind !== "artifact";
  if (isMore(listPriceUsd, listed) || (isFixed && isMore(listed, listPriceUsd)))
    return `The service calls this a cache ${cacheStatus} at ${formatUsd(listPriceUsd)}; the catalog lists ${formatUsd(listed)} for one.`;
  const reckoned = listPriceUsd - creditAppliedUsd;
  if (isMore(usd, reckoned) || isMore(reckoned, usd))
    return `${formatUsd(listPriceUsd)} less ${formatUsd(creditAppliedUsd)} of credit is not ${formatUsd(usd)}.`;
  if (secondsLeft !== undefined && secondsLeft > QUOTE_SECONDS + CLOCKS_APART_SECONDS)
    return `By this browser's clock the price would be valid for ${secondsLeft} s; a quote is valid for ${QUOTE_SECONDS} s.`;
  return undefined;
}

const isMore = (one: number, other: number) => one - other > LESS_THAN_A_MICRO;

const listedFor = (status: CacheStatus, { pricing }: CapabilityEntry): number =>
  ({ hit: pricing.cacheHitUsd, partial: pricing.fingerprintHitUsd, miss: pricing.cacheMissUsd })[status];
