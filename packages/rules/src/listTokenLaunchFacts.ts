import type { CapabilityInput } from "@assay/protocol";
import { describeAccount } from "./listContractGuardFacts.js";
import type { ProvableAccount } from "./provableFact.js";
import type { TokenLaunchReadings } from "./tokenLaunchReadings.js";

/** Code and slots read directly. What simulated calls answered, and a beacon's choice, no proof can show. */
export function listTokenLaunchFacts(
  { address }: CapabilityInput<"token.launch.guard">,
  { code, slots, implementation, ownerAccount }: TokenLaunchReadings,
): ProvableAccount[] {
  const behind = implementation?.isProvable ? [{ ...implementation, slots: {} }] : [];
  const owner = ownerAccount ? [{ ...ownerAccount, slots: {} }] : [];
  return [{ address, code, slots }, ...behind, ...owner].map(describeAccount);
}
