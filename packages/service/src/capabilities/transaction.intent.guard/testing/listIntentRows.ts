import type { IntentWorld } from "./intentFixture.js";
import type { IntentRow } from "./intentRow.js";
import { listHostileApprovalRows } from "./listHostileApprovalRows.js";
import { listHostileCallRows } from "./listHostileCallRows.js";
import { listSafeRows } from "./listSafeRows.js";

/** Every call is really encoded for the contracts of the local chain. */
export function listIntentRows(world: IntentWorld): readonly IntentRow[] {
  const hostile = [...listHostileApprovalRows(world), ...listHostileCallRows(world)];
  return [
    ...listSafeRows(world).map((row) => ({ ...row, hostile: false })),
    ...hostile.map((row) => ({ ...row, hostile: true })),
  ];
}
