import type { CapabilityPrices } from "@assay/protocol";
import { capabilities, type ListedCapability } from "./capabilities.js";

/**
 * The most that a call can cost, by these prices or by the contract's own: the miss price. An expired artifact is computed
 * again for no less than its source's hit price, and the dearest of those may be more.
 */
export function highestPrice(
  { id, prices: own, record }: Pick<ListedCapability, "id" | "prices" | "record">,
  prices?: ReadonlyMap<string, CapabilityPrices>,
): bigint {
  const missMicroUsd = (prices?.get(id) ?? own).missMicroUsd;
  if (record?.kind !== "artifact") return missMicroUsd;
  return capabilities
    .filter(({ reuse }) => reuse === "shared")
    .map((source) => (prices?.get(source.id) ?? source.prices).hitMicroUsd)
    .reduce((most, hit) => (hit > most ? hit : most), missMicroUsd);
}
