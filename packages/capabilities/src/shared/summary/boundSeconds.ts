import type { CapabilityResult } from "@assay/protocol";

/**
 * For how many seconds an answer still held when it was sold. No hash covers what the service states of it, so what is signed, the
 * blocks and the time of one, is the most that is believed; null where that is not stated.
 */
export function boundSeconds({
  result,
  nextCall,
}: Pick<CapabilityResult, "result" | "nextCall">): number | null {
  const { validity } = result.evidence as { readonly validity?: { readonly measuredBlockTimeMs?: unknown } };
  const measured = validity?.measuredBlockTimeMs;
  if (typeof measured !== "number") return null;
  const most = Math.floor(((result.validUntilBlock - result.computedAtBlock) * measured) / 1000);
  return Math.min(most, nextCall?.validForSeconds ?? most);
}
