import { describeAccount } from "../shared/proxies/describeAccount.js";
import type { ProvableAccount } from "../shared/verdict/provableFact.js";
import type { ContractChangeInput } from "./input.js";
import type { ContractChangeReadings } from "./readings.js";

/** Code and slots of the address at this block. Answers of calls and the earlier observation no proof of it can show. */
export function listContractChangeFacts(
  { address }: ContractChangeInput,
  { code, slots }: ContractChangeReadings,
): ProvableAccount[] {
  return [describeAccount({ address, code, slots })];
}
