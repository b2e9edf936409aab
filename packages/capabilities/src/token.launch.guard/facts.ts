import { describeAccount } from "../shared/proxies/describeAccount.js";
import type { ProvableAccount } from "../shared/verdict/provableFact.js";
import type { TokenLaunchInput } from "./input.js";
import type { TokenLaunchReadings } from "./readings.js";

/** Code and slots read directly. What simulated calls answered, and a beacon's choice, no proof can show. */
export function listTokenLaunchFacts(
  { address }: TokenLaunchInput,
  { code, slots, implementation, ownerAccount }: TokenLaunchReadings,
): ProvableAccount[] {
  const behind = implementation?.isProvable ? [{ ...implementation, slots: {} }] : [];
  const owner = ownerAccount ? [{ ...ownerAccount, slots: {} }] : [];
  return [{ address, code, slots }, ...behind, ...owner].map(describeAccount);
}
