import type { Hex } from "@assay/protocol";
import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { describeAccount } from "../shared/proxies/describeAccount.js";
import { listSubjectFacts } from "../shared/proxies/listSubjectFacts.js";
import type { RwaMarketInput } from "./input.js";
import { ERC3643_AUTHORITY_SLOT } from "./judgeUpgrade.js";
import type { RwaMarketReadings } from "./readings.js";

/** Code and slots read directly. No proof can show the answers of calls, or the code of accounts that they named. */
export function listRwaMarketFacts(
  { address }: RwaMarketInput,
  { contract, implementation, authority, roles, erc3643 }: RwaMarketReadings,
): ProvableAccount[] {
  const accounts = [
    implementation?.isProvable ? implementation : null,
    authority.account,
    roles.admin,
    erc3643.registry,
    erc3643.rules,
  ];
  const slots =
    authority.slot.status === "value"
      ? [{ slot: ERC3643_AUTHORITY_SLOT as Hex, value: authority.slot.value as Hex }]
      : [];
  return [
    ...listSubjectFacts(address, contract),
    ...(slots.length > 0 ? [{ address, slots }] : []),
    ...accounts.flatMap((account) => (account ? [describeAccount({ ...account, slots: {} })] : [])),
  ];
}
