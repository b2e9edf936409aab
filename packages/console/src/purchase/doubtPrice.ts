import { findCapability, highestPrice } from "@assay/client";
import { type CacheStatus, type CapabilityEntry, cacheWords, usdFromMicro } from "@assay/protocol";
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
  const most = mostOf(entry);
  if (isMore(usd, most)) return `The catalog lists at most ${formatUsd(most)} for this call.`;
  if (!quote) return undefined;
  const { cacheStatus, listPriceUsd, creditAppliedUsd } = quote;
  const listed = listedFor(cacheStatus, entry);
  // What an expired artifact costs follows the capability that it came from.
  const isFixed = findCapability(entry.id)?.record?.kind !== "artifact" || cacheStatus !== "miss";
  if (isFixed && (isMore(listPriceUsd, listed) || isMore(listed, listPriceUsd)))
    return `The service asks ${formatUsd(listPriceUsd)} for an answer ${cacheWords[cacheStatus]}; the catalog lists ${formatUsd(listed)} for one.`;
  const reckoned = listPriceUsd - creditAppliedUsd;
  if (isMore(usd, reckoned) || isMore(reckoned, usd))
    return `${formatUsd(listPriceUsd)} less ${formatUsd(creditAppliedUsd)} of credit is not ${formatUsd(usd)}.`;
  if (secondsLeft !== undefined && secondsLeft > QUOTE_SECONDS + CLOCKS_APART_SECONDS)
    return `By this browser's clock the price would be valid for ${secondsLeft} s; a quote is valid for ${QUOTE_SECONDS} s.`;
  return undefined;
}

const isMore = (one: number, other: number) => one - other > LESS_THAN_A_MICRO;

const mostOf = ({ id, pricing }: CapabilityEntry): number => {
  const capability = findCapability(id);
  if (capability?.record?.kind !== "artifact") return pricing.cacheMissUsd;
  return Math.max(pricing.cacheMissUsd, usdFromMicro(highestPrice(capability)));
};

const listedFor = (status: CacheStatus, { pricing }: CapabilityEntry): number =>
  ({ hit: pricing.cacheHitUsd, partial: pricing.fingerprintHitUsd, miss: pricing.cacheMissUsd })[status];
