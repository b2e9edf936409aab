import type { ReservedCall } from "./paidCall.js";

/** Counts what the settlement used and cost, and what is left of the price, as far as it is known. */
export function countCost(
  { context, invocation }: ReservedCall,
  {
    costMicroUsd,
    gasShare,
  }: { readonly costMicroUsd?: bigint | undefined; readonly gasShare?: bigint | undefined },
): void {
  const { metrics } = context;
  const capability = invocation.capabilityId;
  if (gasShare !== undefined) metrics.settlementGas.inc({ capability }, Number(gasShare));
  if (costMicroUsd === undefined) return;
  metrics.settlementCost.inc({ capability }, Number(costMicroUsd) / 1e6);
  metrics.margin.inc({ capability }, Number(invocation.amount - costMicroUsd) / 1e6);
}
