import { type Hex, noAnswer } from "@assay/protocol";
import type { CodeAnalysis } from "../../code/codeAnalysis.js";
import { BURN_ADDRESSES } from "../../control/judgeOwnership.js";
import { exploreCreation } from "../../machine/exploreCreation.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import type { LaunchReadings } from "../launchReadings.js";
import { isOthers } from "./planGrants.js";
import { listAllowanceSlots, listBalanceSlots } from "./planTrades.js";
import type { First } from "./readSubject.js";

/** Who was given tokens that no event names: by the code that created the token, and of the accounts that were asked. */
export function planCreation(
  batch: Batch,
  { address, hints, events }: Pick<First, "hints" | "events"> & { readonly address: Hex },
  analysis: CodeAnalysis | null,
  pools: readonly Hex[],
): { parse(asked: readonly Hex[]): NonNullable<LaunchReadings["unannounced"]> | null } {
  const slots = listBalanceSlots(analysis);
  const creation =
    hints.firstTransaction === null || slots.length === 0
      ? null
      : batch.ask({ kind: "creation", contract: address, transactionHash: hints.firstTransaction });
  // What a token keeps or burns it often counts without an event.
  const isUnnamed = (account: Hex) =>
    account !== address && !BURN_ADDRESSES.includes(account) && !hints.receivers.has(account);
  return {
    parse: (asked) => {
      if (events.status !== "value") return null;
      const read = creation?.() ?? noAnswer;
      const places = { balances: slots, allowances: listAllowanceSlots(analysis), pair: pools[0] ?? null };
      const found =
        read.status === "value"
          ? exploreCreation(read.value.code, read.value.creator, address, places)
          : null;
      return {
        isCreationRead: found?.isComplete ?? false,
        created: (found?.accounts ?? []).filter(isUnnamed).slice(0, 24),
        unnamed: asked.filter(isUnnamed).slice(0, 40),
        grants: (found?.grants ?? []).filter(({ holder }) => isOthers(holder, pools)).slice(0, 8),
      };
    },
  };
}
