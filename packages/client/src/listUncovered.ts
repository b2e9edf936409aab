import type { CapabilityResult } from "@assay/protocol";

const UNLOGGED_RECEIPT_FIELDS = ["receipt.createdAt", "receipt.quoteId", "receipt.paymentIdentifier"];

/** The parts of a verified answer that no hash or signature covers: a caller must not rely on them. */
export function listUncovered(
  { result, receipt }: { readonly result: Pick<CapabilityResult, "nextCall">; readonly receipt?: unknown },
  steps: readonly { readonly name: string; readonly checked: boolean }[],
): readonly string[] {
  // Only the log binds the receipt, and through it the price paid.
  const isLogged = steps.some(({ name, checked }) => name === "logInclusion" && checked);
  return [
    "the hosts of the links",
    ...(result.nextCall
      ? ["nextCall.validForSeconds", "nextCall.recheck.listPriceUsdCeiling", "nextCall.watch"]
      : []),
    isLogged ? "pricing but for pricePaidUsd" : "pricing",
    ...(isLogged ? UNLOGGED_RECEIPT_FIELDS : receipt ? ["receipt"] : []),
    "fields outside result that this client does not know",
  ];
}
