import type { Act } from "./act.js";

export type IntentClass = "swap" | "approve" | "transfer" | "contract_call";

/** What a transaction is for. One with a swap is a swap; otherwise everything in it must be of one sort. */
export function classifyIntent(acts: readonly Act[], hasUnknownCalls: boolean): IntentClass {
  if (acts.some(({ kind }) => kind === "swap")) return "swap";
  // How a call is made says nothing about what for.
  const kinds = new Set(acts.map(({ kind }) => kind).filter((kind) => kind !== "delegatecall"));
  if (hasUnknownCalls || kinds.size !== 1) return "contract_call";
  if (kinds.has("approval")) return "approve";
  return kinds.has("transfer") ? "transfer" : "contract_call";
}
