import { zeroAddress } from "viem";
import type { DecodedSwap } from "../shared/swaps/decodeSwap.js";
import type { Note } from "../shared/verdict/note.js";
import type { SwapGuardReadings } from "./readings.js";

export type PartyCode =
  | "HOOK_KNOWN"
  | "HOOK_UNKNOWN"
  | "PORTION_SMALL"
  | "PORTION_LARGE"
  | "PORTION_EXCESSIVE";

/** What exchanges charge at most, in hundredths of a percent of the output. */
const SMALL_BIPS = 100;
const LARGE_BIPS = 500;

/** Contracts that V4 pools run on the way. */
export const listHooks = ({ hops }: DecodedSwap) => [
  ...new Set(hops.flatMap(({ hooks }) => (hooks && hooks !== zeroAddress ? [hooks] : []))),
];

/** Who besides the pools has a hand in the swap: hooks of V4 pools, and those who get a part of the output. */
export function judgeParties(swap: DecodedSwap, { hooks }: SwapGuardReadings): Note<PartyCode>[] {
  const notes = listHooks(swap).map((address): Note<PartyCode> => {
    const name = hooks.find((hook) => hook.address === address)?.knownAs ?? null;
    if (name !== null)
      return { code: "HOOK_KNOWN", limitation: `A pool runs the published hook ${name} (${address}).` };
    return {
      code: "HOOK_UNKNOWN",
      limitation: `A pool runs the hook ${address}, which may treat another swap differently; amm.v4.hook.guard judges hooks.`,
    };
  });
  const bips = (swap.program?.portions ?? []).reduce((sum, portion) => sum + portion.bips, 0);
  if (bips === 0) return notes;
  const code =
    bips <= SMALL_BIPS ? "PORTION_SMALL" : bips <= LARGE_BIPS ? "PORTION_LARGE" : "PORTION_EXCESSIVE";
  return [...notes, { code }];
}
