import type { Hex } from "@assay/protocol";
import type { ProvableAccount } from "../proofs/provableFact.js";
import type { DelegationReading } from "./delegationReading.js";

/** The slots that were read while the code was followed. */
export function listDelegationFacts(
  address: Hex,
  delegations: readonly (DelegationReading | null)[],
): ProvableAccount[] {
  const slots = delegations.flatMap((delegation) =>
    (delegation?.slots ?? []).flatMap(({ slot, value }) =>
      value.status === "value" ? [{ slot, value: value.value }] : [],
    ),
  );
  return slots.length > 0 ? [{ address, slots }] : [];
}
