import type { Note } from "../verdict/note.js";
import type { DecodedSwap } from "./decodeSwap.js";

export type LimitCode =
  | "MIN_OUT_ZERO"
  | "MIN_OUT_NEGLIGIBLE"
  | "MIN_OUT_BELOW_TOLERANCE"
  | "MAX_IN_UNBOUNDED"
  | "MAX_IN_ABOVE_TOLERANCE"
  | "RECEIVED_BELOW_MINIMUM"
  | "LIMIT_WITHIN_TOLERANCE";

/** How far from the simulated result a limit may be, in hundredths of a percent. */
export const TOLERANCE_BPS = 500n;
const WHOLE_BPS = 10_000n;

/** The limit in the calldata against what the swap gives, or takes, at this block; null where that is not known. */
export function judgeLimits(
  { kind, amountIn, amountOut }: DecodedSwap,
  given: { readonly paid: bigint; readonly received: bigint } | null,
): Note<LimitCode>[] {
  if (kind === "exactIn" && amountOut === 0n) return [{ code: "MIN_OUT_ZERO" }];
  if (given === null) return [];
  const notes: Note<LimitCode>[] = [];
  if (given.received < amountOut) notes.push({ code: "RECEIVED_BELOW_MINIMUM" });
  if (kind === "exactIn") {
    if (amountOut * 2n < given.received) notes.push({ code: "MIN_OUT_NEGLIGIBLE" });
    else if (amountOut * WHOLE_BPS < given.received * (WHOLE_BPS - TOLERANCE_BPS))
      notes.push({ code: "MIN_OUT_BELOW_TOLERANCE" });
  } else {
    if (amountIn > given.paid * 2n) notes.push({ code: "MAX_IN_UNBOUNDED" });
    else if (amountIn * WHOLE_BPS > given.paid * (WHOLE_BPS + TOLERANCE_BPS))
      notes.push({ code: "MAX_IN_ABOVE_TOLERANCE" });
  }
  return notes.length > 0 ? notes : [{ code: "LIMIT_WITHIN_TOLERANCE" }];
}
