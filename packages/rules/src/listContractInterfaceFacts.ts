import type { CapabilityInput } from "@assay/protocol";
import type { ContractInterfaceReadings } from "./contractInterfaceReadings.js";
import { describeAccount } from "./listContractGuardFacts.js";
import type { ProvableAccount } from "./provableFact.js";

/** Code and slots read directly. What calls answered, a beacon's choice included, no proof can show. */
export function listContractInterfaceFacts(
  { address }: CapabilityInput<"contract.interface">,
  { code, slots, implementation }: ContractInterfaceReadings,
): ProvableAccount[] {
  const subject = describeAccount({ address, code, slots });
  if (implementation === null || implementation.slots === null) return [subject];
  return [subject, describeAccount({ ...implementation, slots: implementation.slots })];
}
