import type { Act } from "./act.js";

export type IntentClass = "swap" | "approve" | "transfer" | "contract_call";

/** The purpose of a transaction. One with a swap is a swap; otherwise all its acts must be of one kind. */
export function classifyIntent(acts: readonly Act[], hasUnknownCalls: boolean): IntentClass {
  if (acts.some(({ kind }) => kind === "swap")) return "swap";
  // A delegatecall says how a call is made, not what it is for.
  const kinds = new Set(acts.map(({ kind }) => kind).filter((kind) => kind !== "delegatecall"));
  if (hasUnknownCalls || kinds.size !== 1) return "contract_call";
  if (kinds.has("approval")) return "approve";
  return kinds.has("transfer") ? "transfer" : "contract_call";
}
