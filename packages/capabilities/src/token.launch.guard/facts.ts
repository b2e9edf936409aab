import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { describeAccount } from "../shared/proxies/describeAccount.js";
import type { TokenLaunchInput } from "./input.js";
import type { TokenLaunchReadings } from "./readings.js";

/** Code and slots read directly. No proof can show the answers of simulated calls or a beacon's choice. */
export function listTokenLaunchFacts(
  { address }: TokenLaunchInput,
  { code, slots, implementation, ownerAccount }: TokenLaunchReadings,
): ProvableAccount[] {
  const behind = implementation?.isProvable ? [{ ...implementation, slots: {} }] : [];
  const owner = ownerAccount ? [{ ...ownerAccount, slots: {} }] : [];
  return [{ address, code, slots }, ...behind, ...owner].map(describeAccount);
}
