import { measureTaxBps } from "./measureTaxBps.js";
import type { LaunchLeg, LaunchRun } from "./tradeReadings.js";

/** In larger sales taxes that the token sells itself move the price, so that only a confiscatory tax counts. */
export const LARGE_PPM = 20_000;

export const legNames = ["buy", "transfer", "approve", "sellHalf", "sellRest"] as const;
export type LegName = (typeof legNames)[number];

export interface LegFindings {
  readonly leg: LegName;
  readonly success: boolean;
  /** Null for an approval, for a step not reached, and where nothing was promised. */
  readonly taxBps: number | null;
  readonly refusal: string | null;
}

export interface RunFindings {
  readonly sender: string;
  readonly sharePpm: number;
  readonly legs: readonly LegFindings[] | null;
}

export function describeRun(sender: string, { sharePpm, legs }: LaunchRun): RunFindings {
  // Nothing was spent: the share of the pool was zero, or the quote token could not be bought.
  const isStarted = legs !== null && (legs[0]?.success || legs[0]?.sent !== "0");
  return {
    sender,
    sharePpm,
    legs: isStarted ? legs.map((leg, index) => describeLeg(legNames[index] as LegName, leg)) : null,
  };
}

export function describeLeg(name: LegName, leg: LaunchLeg): LegFindings {
  return {
    leg: name,
    success: leg.success,
    taxBps: leg.success && name !== "approve" ? measureTaxBps(leg) : null,
    refusal: leg.success || leg.refusal === "0x" ? null : leg.refusal,
  };
}

const unreached: Omit<LegFindings, "leg"> = { success: false, taxBps: null, refusal: null };
export const legOf = ({ legs }: RunFindings, name: LegName): LegFindings =>
  legs?.find(({ leg }) => leg === name) ?? { leg: name, ...unreached };
