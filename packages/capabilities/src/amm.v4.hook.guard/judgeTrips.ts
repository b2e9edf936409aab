import type { Note } from "../shared/verdict/note.js";
import { type ComparedTrip, type Comparison, compareTrips, type Ppm } from "./compareTrips.js";
import type { HookGuardInput } from "./input.js";
import { isDynamicFee } from "./poolKey.js";
import type { HookGuardReadings } from "./readings.js";

export type TripCode =
  | "ROUND_TRIP_AS_STATED"
  | "HOOK_TAKES_FEE"
  | "HOOK_SKIMS"
  | "SWAPS_FAIL"
  | "SWAPS_ONE_WAY"
  | "RETURN_FAILS"
  | "LARGER_SWAP_FAILS"
  | "SENDERS_TREATED_APART"
  | "POOL_FEE_HIGH"
  | "POOL_FEE_SEVERE"
  | "POOL_DEPTH_TOO_SMALL"
  | "CURRENCY_KEEPS_PART"
  | "SIMULATION_UNAVAILABLE"
  | "SIMULATION_UNFINISHED";

/** More than this of one way is no fee but a skim, in ppm. */
const SKIM_PPM: Ppm = 20_000;
const HIGH_FEE_PPM: Ppm = 30_000;
const SEVERE_FEE_PPM: Ppm = 200_000;
/**
 * Under a fixed fee, swaps with and without the hook are compared to the unit. A dynamic one is taken off by proportion,
 * which is wrong by up to twice the swap's share of the pool, there and back, and by rounding.
 */
const toleratedPpm = (isDynamic: boolean, { shareBps }: ComparedTrip): Ppm =>
  isDynamic ? 300 + 2 * shareBps * 100 : 0;

interface TripJudgement {
  readonly notes: Note<TripCode>[];
  readonly trips: readonly ComparedTrip[];
}

/** What swaps there and back cost, beside the same swaps in the same pool without the hook. */
export function judgeTrips(
  input: HookGuardInput,
  readings: HookGuardReadings,
  sqrtPriceX96: bigint | null,
): TripJudgement {
  const comparison = compareTrips(input, readings, sqrtPriceX96);
  const { trips } = comparison;
  const isDynamic = isDynamicFee(input);
  const notes = [
    ...noteUnmeasured(comparison),
    ...noteFailures(trips),
    ...noteExtra(trips, isDynamic),
    ...noteSenders(trips, isDynamic),
    ...noteFee(trips),
  ];
  if (trips.some(({ isPaidInFull }) => !isPaidInFull)) notes.push({ code: "CURRENCY_KEEPS_PART" });
  // Any finding, or anything not measured, contradicts it.
  if (notes.length === 0) notes.push({ code: "ROUND_TRIP_AS_STATED" });
  return { notes, trips };
}

/** Whose trips are asked for, each in both directions and two sizes. */
const KINDS = [
  { role: "router", isSettled: true },
  { role: "stranger", isSettled: true },
  { role: "stranger", isSettled: false },
] as const;

const isComplete = (trips: readonly ComparedTrip[]): boolean =>
  KINDS.every(({ role, isSettled }) =>
    [true, false].every((zeroForOne) => {
      const ways = trips.filter(
        (trip) => trip.role === role && trip.isSettled === isSettled && trip.zeroForOne === zeroForOne,
      );
      return new Set(ways.map(({ shareBps }) => shareBps)).size > 1;
    }),
  );

function noteUnmeasured(comparison: Comparison): Note<TripCode>[] {
  const { trips, unavailable, unfinished, unfunded, tooSmall, beyondRange } = comparison;
  const isMissing = unfinished + unfunded + tooSmall + beyondRange === 0 && !isComplete(trips);
  const notes: Note<TripCode>[] = [];
  if (unavailable > 0 || isMissing) {
    const limitation = "Not every round trip was simulated: no node ran all of them.";
    notes.push({ code: "SIMULATION_UNAVAILABLE", limitation });
  }
  if (unfinished > 0) {
    const limitation = "A round trip did not come to its end in simulation, with the hook or without it.";
    notes.push({ code: "SIMULATION_UNFINISHED", limitation });
  }
  if (unfunded > 0) {
    const limitation =
      "A round trip could not be paid for in simulation: the manager holds too little of the currency, or the currency keeps a part of transfers.";
    notes.push({ code: "SIMULATION_UNFINISHED", limitation });
  }
  if (tooSmall > 0) {
    const limitation =
      "Without the hook, the pool does not give enough units of a currency to measure by, there or back.";
    notes.push({ code: "POOL_DEPTH_TOO_SMALL", limitation });
  }
  if (beyondRange > 0) {
    const limitation =
      "A simulated swap was larger than what the pool's range of prices holds: it fails without the hook, too.";
    notes.push({ code: "POOL_DEPTH_TOO_SMALL", limitation });
  }
  return notes;
}

const settledBy = (trips: readonly ComparedTrip[], role: ComparedTrip["role"]) =>
  trips.filter((trip) => trip.isSettled && trip.role === role);

/** Whether swaps succeed is judged by those of the well-known router; a hook may refuse others with good reason. */
function noteFailures(trips: readonly ComparedTrip[]): Note<TripCode>[] {
  const byRouter = settledBy(trips, "router");
  const deciding = byRouter.length > 0 ? byRouter : settledBy(trips, "stranger");
  const directions = [true, false]
    .map((zeroForOne) => deciding.filter((trip) => trip.zeroForOne === zeroForOne))
    .filter((ways) => ways.length > 0);
  const closed = directions.filter((ways) => ways.every(({ there }) => !there.success)).length;
  const notes: Note<TripCode>[] = [];
  if (closed > 0) notes.push({ code: closed === directions.length ? "SWAPS_FAIL" : "SWAPS_ONE_WAY" });
  const isLimited = directions.some(
    (ways) => ways.some(({ there }) => there.success) && ways.some(({ there }) => !there.success),
  );
  if (isLimited) notes.push({ code: "LARGER_SWAP_FAILS" });
  // A pool that lets an account swap in but not back is a trap.
  const isTrap = trips.some(
    ({ isSettled, there, back }) => isSettled && there.success && back?.success === false,
  );
  if (isTrap) notes.push({ code: "RETURN_FAILS" });
  return notes;
}

const extrasOf = ({ there, back }: ComparedTrip): Ppm[] =>
  [there.extraPpm, back?.extraPpm ?? null].filter((extra) => extra !== null);

function noteExtra(trips: readonly ComparedTrip[], isDynamic: boolean): Note<TripCode>[] {
  const beyond = trips.flatMap((trip) =>
    extrasOf(trip).filter((extra) => extra > toleratedPpm(isDynamic, trip)),
  );
  if (beyond.length === 0) return [];
  const most = Math.max(...beyond);
  return [{ code: most > SKIM_PPM ? "HOOK_SKIMS" : "HOOK_TAKES_FEE" }];
}

function noteSenders(trips: readonly ComparedTrip[], isDynamic: boolean): Note<TripCode>[] {
  const differ = settledBy(trips, "router").some((trip) => {
    const other = settledBy(trips, "stranger").find(
      ({ zeroForOne, shareBps }) => zeroForOne === trip.zeroForOne && shareBps === trip.shareBps,
    );
    return other !== undefined && isTreatedApart(trip, other, toleratedPpm(isDynamic, trip));
  });
  return differ ? [{ code: "SENDERS_TREATED_APART" }] : [];
}

function isTreatedApart(one: ComparedTrip, other: ComparedTrip, tolerated: Ppm): boolean {
  if (one.there.success !== other.there.success || one.back?.success !== other.back?.success) return true;
  const others = extrasOf(other);
  return extrasOf(one).some((extra, way) => Math.abs(extra - (others[way] ?? 0)) > tolerated);
}

/** Measured by the smallest swaps, which move the price least. */
function noteFee(trips: readonly ComparedTrip[]): Note<TripCode>[] {
  const smallest = Math.min(...trips.map(({ shareBps }) => shareBps));
  const costs = trips.filter(({ shareBps }) => shareBps === smallest).map(({ costPpm }) => costPpm ?? 0);
  const most = Math.max(0, ...costs);
  if (most > SEVERE_FEE_PPM) return [{ code: "POOL_FEE_SEVERE" }];
  return most > HIGH_FEE_PPM ? [{ code: "POOL_FEE_HIGH" }] : [];
}
