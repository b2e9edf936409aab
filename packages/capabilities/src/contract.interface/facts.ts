import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { describeAccount } from "../shared/proxies/describeAccount.js";
import type { ContractInterfaceInput } from "./input.js";
import type { ContractInterfaceReadings } from "./readings.js";

/** Code and slots read directly. No proof covers what calls returned, a beacon's choice included. */
export function listContractInterfaceFacts(
  { address }: ContractInterfaceInput,
  { code, slots, implementation }: ContractInterfaceReadings,
): ProvableAccount[] {
  const subject = describeAccount({ address, code, slots });
  if (implementation === null || implementation.slots === null) return [subject];
  return [subject, describeAccount({ ...implementation, slots: implementation.slots })];
}
