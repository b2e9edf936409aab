import type { GroupFlows } from "./groupFlows.js";
import { findValue, type PricedCase, sumValues } from "./priceAssets.js";

/** Micro-dollars that may be lost in a trade without being mentioned. */
const MOST_LOST = 200_000_000n;

/**
 * Whether less arrives than a trade may cost: 5 percent, or 200 dollars. At a published venue its fee and the distance between
 * the feed and the market are about one percent of any sum, so there 200 dollars count only beyond that.
 */
export function isReduced(given: bigint, gotten: bigint, isPublished: boolean): boolean {
  const lost = given - gotten;
  return lost * 20n > given || (lost > MOST_LOST && (!isPublished || lost * 100n > given));
}

/** Null where one side has no price. */
export function judgeValue(
  one: PricedCase,
  { leaves, returns }: Pick<GroupFlows, "leaves" | "returns">,
  isPublished: boolean,
): "BALANCED_RETURN" | "VALUE_REDUCED" | "VALUE_LOST" | null {
  const out = sumValues(one, leaves);
  if (out === undefined) return null;
  const all = sumValues(one, returns);
  const known = returns.reduce((sum, flow) => sum + (findValue(one, flow) ?? 0n), 0n);
  if (!isReduced(out, known, isPublished)) return "BALANCED_RETURN";
  if (all === undefined) return null;
  return all * 2n >= out ? "VALUE_REDUCED" : "VALUE_LOST";
}

/** Dollars with two digits, and the share of what is given with one. Empty where nothing worth mentioning is lost. */
export function tellLoss(given: bigint | undefined, gotten: bigint | undefined): string {
  if (given === undefined || gotten === undefined || given === 0n || gotten >= given) return "";
  const lost = given - gotten;
  if (!isReduced(given, gotten, true) && lost <= MOST_LOST) return "";
  const cents = (lost + 5_000n) / 10_000n;
  const tenths = (lost * 1000n + given / 2n) / given;
  const dollars = `$${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`;
  return `${dollars} (${tenths / 10n}.${tenths % 10n} %) less than is given`;
}
