import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { describeAccount } from "../shared/proxies/describeAccount.js";
import { listDelegationFacts } from "../shared/proxies/listDelegationFacts.js";
import type { ContractChangeInput } from "./input.js";
import type { ContractChangeReadings } from "./readings.js";

/** Code and slots of the address at this block. No proof covers what calls returned or the earlier observation. */
export function listContractChangeFacts(
  { address }: ContractChangeInput,
  { code, slots, delegation, inner }: ContractChangeReadings,
): ProvableAccount[] {
  return [describeAccount({ address, code, slots }), ...listDelegationFacts(address, [delegation, inner])];
}
