import { listSubjectFacts } from "../shared/control/listSubjectFacts.js";
import type { ProvableAccount } from "../shared/verdict/provableFact.js";
import type { ContractGuardInput } from "./input.js";
import type { ContractGuardReadings } from "./readings.js";

export const listContractGuardFacts = (
  { address }: ContractGuardInput,
  readings: ContractGuardReadings,
): ProvableAccount[] => listSubjectFacts(address, readings);
