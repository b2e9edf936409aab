import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import type { TokenMetadataInput } from "./input.js";
import type { TokenMetadataReadings } from "./readings.js";

/** Only the code is state. The four fields are answers of calls, which no proof can show. */
export function listTokenMetadataFacts(
  { address }: TokenMetadataInput,
  { code }: TokenMetadataReadings,
): ProvableAccount[] {
  if (code.status !== "value") return [{ address, slots: [] }];
  return [{ address, codeHash: code.value.form === "empty" ? null : code.value.codeHash, slots: [] }];
}
