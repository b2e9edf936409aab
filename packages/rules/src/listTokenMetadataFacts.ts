import type { CapabilityInput } from "@assay/protocol";
import type { ProvableAccount } from "./provableFact.js";
import type { TokenMetadataReadings } from "./tokenMetadataReadings.js";

/** Only the code is state; the four fields are what calls answered, which no proof can show. */
export function listTokenMetadataFacts(
  { address }: CapabilityInput<"token.metadata">,
  { code }: TokenMetadataReadings,
): ProvableAccount[] {
  if (code.status !== "value") return [{ address, slots: [] }];
  return [{ address, codeHash: code.value.form === "empty" ? null : code.value.codeHash, slots: [] }];
}
