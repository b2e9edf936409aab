import type { Note } from "../shared/verdict/note.js";
import { readOneWord } from "../shared/words/readOneWord.js";
import type { RwaMarketReadings } from "./readings.js";

export type SupplyCode =
  | "SUPPLY_CAPPED"
  | "SUPPLY_ABOVE_CAP"
  | "ZERO_SUPPLY"
  | "NOT_A_FUNGIBLE_TOKEN"
  | "METADATA_UNREAD";

/** A native token without a cap states 2^128 - 1. */
const UNCAPPED = 2n ** 128n - 1n;

/** Judges the supply, and the cap that the token itself states. */
export function judgeSupply(
  { totalSupply, cap, b20 }: RwaMarketReadings,
  isNative: boolean,
): {
  notes: Note<SupplyCode>[];
  supply: { readonly total: string | null; readonly cap: string | null };
} {
  const total = readOneWord(totalSupply);
  const stated = readOneWord(isNative ? b20.supplyCap : cap);
  const limit = isNative && stated === UNCAPPED ? null : stated;
  const supply = { total: total?.toString() ?? null, cap: limit?.toString() ?? null };
  const notes: Note<SupplyCode>[] = [];
  const isUnanswered = [totalSupply, cap].some(({ status }) => status === "unanswered");
  if (isUnanswered)
    notes.push({
      code: "METADATA_UNREAD",
      limitation: "totalSupply() or cap() was not read: no node answered.",
    });
  if (total === null) {
    if (totalSupply.status !== "unanswered") notes.push({ code: "NOT_A_FUNGIBLE_TOKEN" });
    return { notes, supply };
  }
  if (total === 0n) notes.push({ code: "ZERO_SUPPLY" });
  if (limit !== null) notes.push({ code: total > limit ? "SUPPLY_ABOVE_CAP" : "SUPPLY_CAPPED" });
  return { notes, supply };
}
