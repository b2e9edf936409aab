import { capabilities } from "@assay/capabilities";
import type { CapabilityPrices } from "@assay/protocol";

type Prices = ReadonlyMap<string, CapabilityPrices>;

/** What a known fingerprint saves the buyer of an answer; null for a capability that rests on none. */
function worthOf(prices: Prices, capabilityId: string): bigint | null {
  const capability = capabilities.find(({ id }) => id === capabilityId);
  const own = prices.get(capabilityId);
  if (capability?.longLivedPart !== "fingerprint" || !own) return null;
  return own.missMicroUsd - own.partialMicroUsd;
}

/**
 * The capabilities whose paid answers make the next one of `capabilityId` about the same code `partial`: those whose own
 * fingerprint was worth at least as much as the one that is asked for now. A cheap call would otherwise buy the discount of
 * an expensive one.
 */
export function listCoveringCapabilities(prices: Prices, capabilityId: string): readonly string[] {
  const known = memo.get(prices) ?? new Map<string, readonly string[]>();
  memo.set(prices, known);
  const listed = known.get(capabilityId) ?? computeCovering(prices, capabilityId);
  known.set(capabilityId, listed);
  return listed;
}

/** Asked for at each challenge, and the same as long as the prices are. */
const memo = new WeakMap<Prices, Map<string, readonly string[]>>();

function computeCovering(prices: Prices, capabilityId: string): readonly string[] {
  const asked = worthOf(prices, capabilityId);
  if (asked === null) return [];
  return [...prices.keys()].filter((id) => {
    const worth = worthOf(prices, id);
    return worth !== null && worth >= asked;
  });
}
