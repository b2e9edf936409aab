import type { Note } from "../shared/verdict/note.js";
import {
  accrueInterest,
  type Borrowed,
  type BorrowTerms,
  type Debt,
  healthOf,
  lowestHealthyPrice,
  measureDebt,
  mostBorrowable,
  secondsUntilUnhealthy,
} from "./computeBorrow.js";
import type { FoundMarket } from "./findLendingMarket.js";
import type { LendingCase } from "./lendingCase.js";

export type HealthCode =
  | "HEALTHY_AFTER_FALL_20"
  | "UNHEALTHY_AFTER_FALL_20"
  | "UNHEALTHY_AFTER_FALL_10"
  | "UNHEALTHY_AFTER_FALL_5"
  | "ALREADY_UNHEALTHY";

/** Percent of the price, the most severe first. */
const FALLS = [
  [5n, "UNHEALTHY_AFTER_FALL_5"],
  [10n, "UNHEALTHY_AFTER_FALL_10"],
  [20n, "UNHEALTHY_AFTER_FALL_20"],
] as const;

export interface HealthFindings {
  /** Collateral's allowance for each unit owed, of 10^18; below 10^18 anybody may liquidate. Null without a debt. */
  readonly health: { readonly before: string | null; readonly after: string | null };
  readonly healthAfterFall: Readonly<Record<"5%" | "10%" | "20%", string | null>>;
  /** The loan token's smallest units. */
  readonly debt: { readonly before: string; readonly after: string; readonly allowed: string };
  readonly mostBorrowable: string;
  /** A lower price than this makes the position liquidatable; scaled as the oracle's. */
  readonly liquidationPrice: string | null;
  /** By how much the price may fall until then, in hundredths of a percent, rounded down. */
  readonly fallToLiquidationBps: number | null;
  readonly secondsUntilUnhealthy: string | null;
}

interface HealthJudgement {
  readonly notes: readonly Note<HealthCode>[];
  readonly findings: HealthFindings | null;
  /** What every answer states, whatever the notes are. */
  readonly limitations: readonly string[];
}

/** How near the borrow brings the position to liquidation. */
export function judgeHealth({ found, terms, computation }: LendingCase): HealthJudgement {
  if (found === null || terms === null || computation?.status !== "computed")
    return { notes: [], findings: null, limitations: [] };
  const { borrowed } = computation;
  const before = measureBefore(found, terms);
  const seconds = secondsUntilUnhealthy(borrowed, terms);
  return {
    notes: noteHealth(before, borrowed, terms),
    findings: describeHealth(found, terms, borrowed, before, seconds),
    limitations: borrowed.refusals.includes("insufficient collateral")
      ? []
      : [describeInterest(terms, seconds)],
  };
}

/** Cannot throw: the borrow was computed from the same numbers. */
const measureBefore = ({ market, position }: FoundMarket, terms: BorrowTerms): Debt =>
  measureDebt(accrueInterest(market, terms), position, terms);

const isUnhealthy = ({ borrowed, maxBorrow }: Debt): boolean => maxBorrow < borrowed;

function afterFall({ market, position }: Borrowed, terms: BorrowTerms, percent: bigint): Debt {
  return measureDebt(market, position, { ...terms, price: (terms.price * (100n - percent)) / 100n });
}

function noteHealth(before: Debt, borrowed: Borrowed, terms: BorrowTerms): Note<HealthCode>[] {
  const notes: Note<HealthCode>[] = isUnhealthy(before) ? [{ code: "ALREADY_UNHEALTHY" }] : [];
  // judgeBorrow reports what cannot be borrowed at all.
  if (borrowed.refusals.length > 0) return notes;
  const fatal = FALLS.find(([percent]) => isUnhealthy(afterFall(borrowed, terms, percent)));
  return [...notes, { code: fatal ? fatal[1] : "HEALTHY_AFTER_FALL_20" }];
}

function describeHealth(
  { market, position, params }: FoundMarket,
  terms: BorrowTerms,
  borrowed: Borrowed,
  before: Debt,
  seconds: bigint | null,
): HealthFindings {
  const text = (value: bigint | null) => value?.toString() ?? null;
  const fall = (percent: bigint) => text(healthOf(afterFall(borrowed, terms, percent)));
  const lowest = lowestHealthyPrice(borrowed.debt, position.collateral, params.lltv);
  const isAboveIt = lowest !== null && terms.price >= lowest && terms.price > 0n;
  return {
    health: { before: text(healthOf(before)), after: text(healthOf(borrowed.debt)) },
    healthAfterFall: { "5%": fall(5n), "10%": fall(10n), "20%": fall(20n) },
    debt: {
      before: before.borrowed.toString(),
      after: borrowed.debt.borrowed.toString(),
      allowed: borrowed.debt.maxBorrow.toString(),
    },
    mostBorrowable: mostBorrowable(market, position, terms).toString(),
    liquidationPrice: text(lowest),
    fallToLiquidationBps: isAboveIt ? Number(((terms.price - lowest) * 10_000n) / terms.price) : null,
    secondsUntilUnhealthy: text(seconds),
  };
}

function describeInterest({ ratePerSecond }: BorrowTerms, seconds: bigint | null): string {
  if (ratePerSecond === null) return "The market charges no interest, so the debt does not grow by itself.";
  const when = seconds === null ? "not within ten years" : `${seconds} seconds after this block`;
  return `Interest is added up to this block only. At the rate read, and at this price, interest alone makes the position unhealthy: ${when}. The borrow itself raises the rate, and a borrow that runs later owes more.`;
}
