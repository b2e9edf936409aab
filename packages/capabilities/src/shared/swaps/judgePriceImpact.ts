import type { Note } from "../verdict/note.js";
import type { DecodedSwap } from "./decodeSwap.js";
import type { MeasuredSwap } from "./measureSwap.js";

export type ImpactCode = "PRICE_IMPACT" | "PRICE_IMPACT_SEVERE" | "PRICE_IMPACT_UNMEASURED";

export interface JudgedImpact {
  readonly notes: readonly Note<ImpactCode>[];
  /** Hundredths of a percent by which this swap's price is worse than that of a hundredth of it; null if unknown. */
  readonly impactBps: { readonly atLeast: number; readonly atMost: number } | null;
}

const REVIEW_BPS = 500;
const BLOCK_BPS = 2000;
const WHOLE_BPS = 10_000n;

/**
 * How much the swap moves the price against itself. Both prices are measured the same way, so fees and taxes cancel
 * out.
 */
export function judgePriceImpact(
  { kind }: DecodedSwap,
  whole: MeasuredSwap,
  small: MeasuredSwap | null,
): JudgedImpact {
  const isMeasured = whole.paid > 0n && small !== null && small.paid > 0n && small.received > 0n;
  if (!isMeasured) {
    const limitation = "The price impact is not known: a hundredth of the swap could not be simulated.";
    return { notes: [{ code: "PRICE_IMPACT_UNMEASURED", limitation }], impactBps: null };
  }
  const impact = (paid: bigint, received: bigint): number => {
    const keptBps = (whole.received * paid * WHOLE_BPS) / (whole.paid * received);
    return keptBps >= WHOLE_BPS ? 0 : Number(WHOLE_BPS - keptBps);
  };
  const atLeast = impact(small.paid, small.received);
  // Pools round in their own favour by up to one unit, which weighs more the smaller the amount is.
  const atMost =
    kind === "exactIn" ? impact(small.paid, small.received + 1n) : impact(small.paid - 1n, small.received);
  return { notes: noteImpact(atLeast, atMost), impactBps: { atLeast, atMost } };
}

function noteImpact(atLeast: number, atMost: number): Note<ImpactCode>[] {
  if (atLeast > BLOCK_BPS) return [{ code: "PRICE_IMPACT_SEVERE" }];
  if (atLeast > REVIEW_BPS) return [{ code: "PRICE_IMPACT" }];
  if (atMost <= REVIEW_BPS) return [];
  const limitation = "The amount is too small to tell the price impact from rounding.";
  return [{ code: "PRICE_IMPACT_UNMEASURED", limitation }];
}
