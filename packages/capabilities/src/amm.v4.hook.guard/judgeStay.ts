import type { Note } from "../shared/verdict/note.js";
import type { HookGuardReadings, HookStay } from "./readings.js";

export type StayCode =
  | "LIQUIDITY_STAYS_FREE"
  | "LIQUIDITY_CLOSED"
  | "LIQUIDITY_LOCKED"
  | "LIQUIDITY_TAXED"
  | "LIQUIDITY_TRIAL_UNREAD";

/** A hundredth: rounding takes a unit or two of each side. */
const TOLERATED_PARTS = 100n;

/** What became of liquidity that a stranger added and took out at once. */
export function judgeStay({ stay }: HookGuardReadings): Note<StayCode>[] {
  if (stay === null) return [];
  if (stay.status !== "value") {
    const limitation = "Whether liquidity can be added and taken out was not simulated.";
    return [{ code: "LIQUIDITY_TRIAL_UNREAD", limitation }];
  }
  if (!stay.value.isAdded) return [{ code: "LIQUIDITY_CLOSED" }];
  if (!stay.value.isRemoved) {
    const limitation =
      "Liquidity was taken out in the same transaction in which it was added; a hook may let it out later.";
    return [{ code: "LIQUIDITY_LOCKED", limitation }];
  }
  return [{ code: isTaxed(stay.value) ? "LIQUIDITY_TAXED" : "LIQUIDITY_STAYS_FREE" }];
}

function isTaxed({ put, returned }: HookStay): boolean {
  return put.some((owed, side) => {
    const given = -BigInt(owed);
    const missing = given - BigInt(returned[side] ?? "0");
    return missing > 2n && missing * TOLERATED_PARTS > given;
  });
}
