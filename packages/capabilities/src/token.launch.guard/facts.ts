import { findLiveOwner } from "../shared/control/judgeOwnership.js";
import type { LaunchReadings } from "../shared/launch/launchReadings.js";
import type { ProvableAccount } from "../shared/proofs/provableFact.js";
import { describeAccount } from "../shared/proxies/describeAccount.js";
import type { TokenLaunchInput } from "./input.js";

/** Code and slots read directly. No proof can show the answers of simulated calls or a beacon's choice. */
export function listTokenLaunchFacts(
  { address }: TokenLaunchInput,
  readings: LaunchReadings,
): ProvableAccount[] {
  const { code, slots, implementation, accounts } = readings;
  const owner = findLiveOwner(readings);
  const behind = implementation?.isProvable ? [{ ...implementation, slots: {} }] : [];
  const owners = accounts.filter((one) => one.address === owner && owner !== address);
  return [{ address, code, slots }, ...behind, ...owners.map((one) => ({ ...one, slots: {} }))].map(
    describeAccount,
  );
}
