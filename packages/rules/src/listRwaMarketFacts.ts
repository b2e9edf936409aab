import type { CapabilityInput, Hex } from "@assay/protocol";
import { describeAccount, listContractGuardFacts } from "./listContractGuardFacts.js";
import type { ProvableAccount } from "./provableFact.js";
import { ERC3643_AUTHORITY_SLOT } from "./rwa/judgeUpgrade.js";
import type { RwaMarketReadings } from "./rwaMarketReadings.js";

/** Code and slots read directly. What calls answered, and the code of whom they named, no proof can show. */
export function listRwaMarketFacts(
  { address }: CapabilityInput<"rwa.market.guard">,
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
    ...listContractGuardFacts({ address }, contract),
    ...(slots.length > 0 ? [{ address, slots }] : []),
    ...accounts.flatMap((account) => (account ? [describeAccount({ ...account, slots: {} })] : [])),
  ];
}
