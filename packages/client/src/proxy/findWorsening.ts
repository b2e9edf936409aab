import type { Decision } from "./decide.js";

/** What was approved, or is about to be forwarded. */
export interface Approved extends Pick<Decision, "action" | "valueMicroUsd" | "valueWei" | "gainers"> {
  readonly reasons: readonly string[];
}

/** Prices and pools move between two blocks; a drain takes more than this. */
const MOST_PERCENT = 103n;

/**
 * What speaks against forwarding by a newer verdict than the one that was decided on, in a sentence; undefined where it is no worse.
 * A person who approved one payment has not approved a larger one, or one to somebody else.
 */
export function findWorsening(before: Approved, after: Approved): string | undefined {
  if (after.action === "refuse") return "It is refused now.";
  if (after.action === "allow") return undefined;
  if (before.action !== "ask") return "It is to be asked about now.";
  const reason = after.reasons.find((code) => !before.reasons.includes(code));
  if (reason !== undefined) return `There is a new reason, ${reason}.`;
  const isMore = (one: bigint, other: bigint) => other * 100n > one * MOST_PERCENT;
  if (isMore(before.valueMicroUsd, after.valueMicroUsd) || isMore(before.valueWei, after.valueWei))
    return "It sends away more than before.";
  const gainer = after.gainers.find((party) => !before.gainers.includes(party));
  return gainer === undefined ? undefined : `It gives something to ${gainer}, who was not named before.`;
}
