import type { HookGuardInput } from "./input.js";
import { isDynamicFee } from "./poolKey.js";
import type { HookGuardReadings, HookLeg, HookTrips } from "./readings.js";

/** Parts per million, the unit of a pool's fee. */
export type Ppm = number;
const MILLION = 1_000_000n;

/** One way of a trip beside the same way without the hook. */
export interface ComparedLeg {
  readonly success: boolean;
  /** What the hook took beyond the pool's fees, of what the pool alone gives; below zero where it gave. Null unless swapped. */
  readonly extraPpm: Ppm | null;
}

export interface ComparedTrip extends Pick<HookTrips, "role" | "isSettled" | "zeroForOne"> {
  readonly shareBps: number;
  readonly amountIn: string;
  readonly there: ComparedLeg;
  /** Null when there was nothing to swap back. */
  readonly back: ComparedLeg | null;
  /** Of what went in, what did not come back; null when the trip did not end. */
  readonly lossPpm: Ppm | null;
  /** The same without the hook: what the pool's fees and the swap's own weight take. */
  readonly statedLossPpm: Ppm;
  /** How much worse than the pool's price the way there was, less the swap's own weight; null where no price was read. */
  readonly costPpm: Ppm | null;
  /** Whether balances moved as the manager accounted for them. */
  readonly isPaidInFull: boolean;
  readonly refusal: string | null;
}

export interface Comparison {
  readonly trips: readonly ComparedTrip[];
  /** Trips that nobody simulated, did not end, or could not be paid for. */
  readonly unavailable: number;
  readonly unfinished: number;
  readonly unfunded: number;
  /** Trips for which the pool alone gives too little to measure by. */
  readonly tooSmall: number;
  /** Trips that the pool alone does not carry to their end: they are larger than what its range of prices holds. */
  readonly beyondRange: number;
}

/** Fewer units than this do not show a hundredth of a per cent. */
const LEAST_UNITS = 10_000n;

interface Run {
  readonly at: HookTrips;
  readonly shareBps: number;
  readonly outcome: Outcome | null;
}
type Runs = Extract<HookTrips["runs"], { status: "value" }>["value"];
type Outcome = NonNullable<Runs[number]["outcome"]>;

/** Every trip beside the one of the same direction and size that the hook had no part in. */
export function compareTrips(
  input: HookGuardInput,
  { trips }: HookGuardReadings,
  sqrtPriceX96: bigint | null,
): Comparison {
  const runs = trips.flatMap((at): Run[] =>
    at.runs.status === "value" ? at.runs.value.map((run) => ({ at, ...run })) : [],
  );
  const measured = runs.filter(({ at }) => at.role !== "hook");
  const compared = measured.map(({ at, shareBps, outcome }) => {
    const alone = runs.find(
      (run) => run.at.role === "hook" && run.at.zeroForOne === at.zeroForOne && run.shareBps === shareBps,
    )?.outcome;
    if (!outcome || !alone) return "unfinished";
    if (!outcome.isFunded) return "unfunded";
    if (isBeyondRange(alone)) return "beyondRange";
    if (isTooSmall(alone)) return "tooSmall";
    return compareTrip({ at, shareBps, outcome }, alone, isDynamicFee(input), sqrtPriceX96);
  });
  const count = (kind: string) => compared.filter((one) => one === kind).length;
  return {
    trips: compared.filter((one) => typeof one !== "string"),
    unavailable: trips.filter(({ runs: { status } }) => status !== "value").length,
    unfinished: count("unfinished"),
    unfunded: count("unfunded"),
    tooSmall: count("tooSmall"),
    beyondRange: count("beyondRange"),
  };
}

/** Past the last liquidity a swap walks over empty prices until its gas is used up. */
const isBeyondRange = ({ there, back }: Outcome): boolean => !there.success || back?.success === false;

const isTooSmall = ({ there, back }: Outcome): boolean =>
  [there, back].some((leg) => leg === null || BigInt(leg.amountOut) < LEAST_UNITS);

function compareTrip(
  { at, shareBps, outcome }: Run & { readonly outcome: Outcome },
  alone: Outcome,
  isDynamic: boolean,
  sqrtPriceX96: bigint | null,
): ComparedTrip {
  const { there, back } = outcome;
  const { role, isSettled, zeroForOne } = at;
  return {
    role,
    isSettled,
    zeroForOne,
    shareBps,
    amountIn: outcome.amount,
    there: compareLeg(there, alone.there, isDynamic),
    back: back && alone.back && compareLeg(back, alone.back, isDynamic),
    lossPpm: lossOf(outcome),
    statedLossPpm: lossOf(alone) ?? 0,
    costPpm:
      there.success && sqrtPriceX96 !== null ? costOf(there, zeroForOne, shareBps, sqrtPriceX96) : null,
    isPaidInFull: !isSettled || [there, back].every((leg) => !leg?.success || isPaidInFull(leg)),
    refusal: findRefusal(there, back),
  };
}

const findRefusal = (there: HookLeg, back: HookLeg | null): string | null => {
  const failed = [there, back].find((leg) => leg?.success === false);
  return failed?.refusal ?? null;
};
const isPaidInFull = ({ amountIn, amountOut, sent, received }: HookLeg): boolean =>
  BigInt(sent) === BigInt(amountIn) && BigInt(received) === BigInt(amountOut);

function compareLeg(leg: HookLeg, alone: HookLeg, isDynamic: boolean): ComparedLeg {
  return { success: leg.success, extraPpm: leg.success ? extraOf(leg, alone, isDynamic) : null };
}

/**
 * The pool alone gives in proportion to what goes in, and exactly so where the same goes in. A dynamic fee is the hook's to
 * set, so what went to those who provide liquidity is taken off what goes in, on both sides of the comparison.
 */
function extraOf(leg: HookLeg, alone: HookLeg, isDynamic: boolean): Ppm {
  const [given, aloneGiven] = [leg, alone].map((one) => {
    const amount = BigInt(one.amountIn);
    const fee = BigInt(one.lpFee);
    return isDynamic && fee < amount ? amount - fee : amount;
  }) as [bigint, bigint];
  const got = BigInt(leg.amountOut);
  if (got <= 0n) return Number(MILLION);
  // Nothing was taken from a trader that paid nothing and received something.
  if (given <= 0n || aloneGiven <= 0n) return 0;
  return shortfall(got, (BigInt(alone.amountOut) * given) / aloneGiven);
}

function lossOf({ there, back }: Outcome): Ppm | null {
  if (!there.success || !back?.success) return null;
  return shortfall(BigInt(back.received), BigInt(there.sent));
}

/** A price is how much of the second currency one unit of the first buys: the square of the root, which has 96 binary places. */
function costOf(leg: HookLeg, zeroForOne: boolean, shareBps: number, root: bigint): Ppm {
  const given = BigInt(leg.amountIn);
  const square = root * root;
  if (given <= 0n || square === 0n) return 0;
  const fair = zeroForOne ? (given * square) >> 192n : (given << 192n) / square;
  return Math.max(0, shortfall(BigInt(leg.amountOut), fair) - shareBps * 100);
}

/** By how much `got` falls short of `due`, rounded against the hook; below zero where it is more. */
function shortfall(got: bigint, due: bigint): Ppm {
  if (due <= 0n) return 0;
  const missing = (due - got) * MILLION;
  return Number(missing > 0n ? (missing + due - 1n) / due : missing / due);
}
