import { describeAccount } from "../shared/proxies/describeAccount.js";
import type { ProvableAccount } from "../shared/verdict/provableFact.js";
import type { ContractInterfaceInput } from "./input.js";
import type { ContractInterfaceReadings } from "./readings.js";

/** Code and slots read directly. What calls answered, a beacon's choice included, no proof can show. */
export function listContractInterfaceFacts(
  { address }: ContractInterfaceInput,
  { code, slots, implementation }: ContractInterfaceReadings,
): ProvableAccount[] {
  const subject = describeAccount({ address, code, slots });
  if (implementation === null || implementation.slots === null) return [subject];
  return [subject, describeAccount({ ...implementation, slots: implementation.slots })];
}
