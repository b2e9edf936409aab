import type { IntentWorld } from "./intentFixture.js";
import type { IntentRow } from "./intentRow.js";
import { listHostileApprovalRows } from "./listHostileApprovalRows.js";
import { listHostileCallRows } from "./listHostileCallRows.js";
import { listHostileSwapRows } from "./listHostileSwapRows.js";
import { listHostileLaterRows, listSafeLaterRows } from "./listLaterRows.js";
import { listSafeRows } from "./listSafeRows.js";
import { listWatchfulRows } from "./listWatchfulRows.js";

/** Every call is really encoded for the contracts of the local chain. */
export function listIntentRows(world: IntentWorld): readonly IntentRow[] {
  const hostile = [
    ...listHostileApprovalRows(world),
    ...listHostileCallRows(world),
    ...listHostileSwapRows(world),
    ...listHostileLaterRows(world),
    ...listWatchfulRows(world),
  ];
  return [
    ...[...listSafeRows(world), ...listSafeLaterRows(world)].map((row) => ({ ...row, hostile: false })),
    ...hostile.map((row) => ({ ...row, hostile: true })),
  ];
}
