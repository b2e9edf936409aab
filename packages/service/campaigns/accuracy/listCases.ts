import { listAccounts } from "./accountCases.js";
import type { AccuracyWorld } from "./accuracyWorld.js";
import { listApprovals } from "./approvalCases.js";
import { listBaits } from "./baitCases.js";
import type { AccuracyCase, Make } from "./caseTools.js";
import { listLending } from "./lendingCases.js";
import { listOthers } from "./otherCases.js";
import { listPositions } from "./positionCases.js";
import type { Setup } from "./setUp.js";
import { listSwaps } from "./swapCases.js";
import { listTransfers } from "./transferCases.js";

/** Every case, honest, hostile and losing, on what stands on this chain. */
export function listCases(world: AccuracyWorld, setup: Setup): AccuracyCase[] {
  const { alice } = world;
  const make =
    (group: AccuracyCase["group"]): Make =>
    (name, kind, { from = alice, to, data = "0x", value = 0n }) => ({
      name,
      group,
      kind,
      transaction: { from, to, data, value },
    });
  return [
    ...listTransfers(world, setup, make("honest"), make("hostile"), make("losing")),
    ...listApprovals(world, setup, make("honest"), make("hostile")),
    ...listSwaps(world, setup, make("honest"), make("hostile")),
    ...listPositions(world, setup, make("honest"), make("hostile")),
    ...listLending(world, setup, make("honest"), make("hostile")),
    ...listAccounts(world, setup, make("honest"), make("hostile")),
    ...listBaits(world, setup, make("hostile")),
    ...listOthers(world, setup, make("honest")),
  ];
}
