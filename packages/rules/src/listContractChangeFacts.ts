import type { CapabilityInput } from "@assay/protocol";
import type { ContractChangeReadings } from "./contractChangeReadings.js";
import { describeAccount } from "./listContractGuardFacts.js";
import type { ProvableAccount } from "./provableFact.js";

/** Code and slots of the address at this block. Answers of calls and the earlier observation no proof of it can show. */
export function listContractChangeFacts(
  { address }: CapabilityInput<"contract.change">,
  { code, slots }: ContractChangeReadings,
): ProvableAccount[] {
  return [describeAccount({ address, code, slots })];
}
