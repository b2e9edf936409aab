import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { listDelegationFacts } from "../shared/proxies/listDelegationFacts.js";
import { listSubjectFacts } from "../shared/proxies/listSubjectFacts.js";
import type { ContractGuardInput } from "./input.js";
import type { ContractGuardReadings } from "./readings.js";

export const listContractGuardFacts = (
  { address }: ContractGuardInput,
  readings: ContractGuardReadings,
): ProvableAccount[] => [
  ...listSubjectFacts(address, readings),
  ...listDelegationFacts(address, [readings.delegation, readings.behind?.delegation ?? null]),
];
