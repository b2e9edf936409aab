import type { Reading } from "@assay/protocol";
import type { Hex } from "viem";
import type { Note } from "../verdict/note.js";
import { decodeQuotedAmount, decodeReturnedAmounts, type SwapAmounts } from "./decodeReturnedAmounts.js";
import { type DecodedSwap, decodeSwap, type SwapTransaction } from "./decodeSwap.js";
import { encodeResale } from "./encodeResale.js";
import { encodeSmallSwap } from "./encodeSmallSwap.js";
import { judgeLimits } from "./judgeLimits.js";
import { type JudgedMarket, judgeMarket } from "./judgeMarket.js";
import { judgeOutflows } from "./judgeOutflows.js";
import { judgePermissions } from "./judgePermissions.js";
import { judgePoolFees } from "./judgePoolFees.js";
import { type JudgedImpact, judgePriceImpact } from "./judgePriceImpact.js";
import { judgeResale, type ResaleFindings } from "./judgeResale.js";
import { judgeRoute } from "./judgeRoute.js";
import { judgeTransferFee } from "./judgeTransferFee.js";
import { type MeasuredSwap, measureSwap } from "./measureSwap.js";
import type { SwapCode } from "./reasons.js";
import type { SimulatedSwap } from "./swapReadings.js";
import type { SwapRouter } from "./swapRouters.js";

/** What was read about one swap, by any of the guards. */
interface SwapOutcome {
  readonly router: SwapRouter;
  readonly block: { readonly hash: string; readonly timestamp: number };
  /** The transaction as a plain call. */
  readonly call: Reading<Hex>;
  readonly simulation: Reading<SimulatedSwap>;
  /** The same after an approval of the router; null where that was not simulated. */
  readonly ifApproved: Reading<SimulatedSwap> | null;
  readonly small: Reading<SimulatedSwap> | null;
  readonly market: Reading<readonly string[]> | null;
  readonly quote: Reading<Hex> | null;
}

export interface SwapMeasurements {
  readonly whole: MeasuredSwap | null;
  readonly ifApproved: MeasuredSwap | null;
  readonly small: MeasuredSwap | null;
}

export interface JudgedSwap {
  readonly notes: readonly Note<SwapCode>[];
  readonly limitations: readonly string[];
  readonly measured: SwapMeasurements;
  /** The amounts that the router returned. */
  readonly returned: SwapAmounts | null;
  readonly impactBps: JudgedImpact["impactBps"];
  readonly feeBps: number | null;
  readonly resale: ResaleFindings | null;
  readonly market: JudgedMarket["market"];
}

/** Judges a decoded swap by its calldata and by its simulation, the same way for every guard. */
export function judgeSwap(swap: DecodedSwap, transaction: SwapTransaction, outcome: SwapOutcome): JudgedSwap {
  const measured = measureAll(swap, transaction, outcome);
  const returned = findReturned(swap, outcome);
  // The best known outcome: measured, measured after an approval, or as the router returned it.
  const done = measured.whole ?? measured.ifApproved;
  const given = done ?? (returned && { paid: returned.amountIn, received: returned.amountOut });
  const promised = swap.toleratesTransferFees ? findQuoted(outcome) : (returned?.amountOut ?? null);
  const fee = done && promised !== null ? judgeTransferFee(swap, promised, done.received) : null;
  const impact = done && judgePriceImpact(swap, done, measured.small);
  const simulated = readValue(measured.whole ? outcome.simulation : outcome.ifApproved);
  const bought = done && simulated && { measured: done, simulated };
  const resale = judgeResale(swap, encodeResale(swap, transaction), bought, promised);
  // What a token keeps of a transfer is judged by itself.
  const brought = done && { paid: done.paid, received: greater(done.received, promised ?? 0n) };
  const market = judgeMarket(swap, outcome.market, brought);
  return {
    notes: [
      ...noteSimulation(outcome, measured.whole),
      ...judgeRoute(swap, transaction, outcome.block),
      ...judgeOutflows(swap, transaction, done),
      ...judgePermissions(swap, transaction, outcome.block),
      ...judgeLimits(swap, given),
      ...(impact?.notes ?? []),
      ...judgePoolFees(swap),
      ...market.notes,
      ...(fee?.notes ?? []),
      ...(done && promised === null && !swap.program ? [unpromised] : []),
      ...resale.notes,
      ...noteLeft(measured.whole),
    ],
    limitations: [...market.limitations, ...resale.limitations, ...(swap.program ? [UNQUOTED] : [])],
    measured,
    returned,
    impactBps: impact?.impactBps ?? null,
    feeBps: fee?.feeBps ?? null,
    resale: resale.resale,
    market: market.market,
  };
}

const greater = (one: bigint, other: bigint) => (one > other ? one : other);

const readValue = <T>(reading: Reading<T> | null): T | null =>
  reading?.status === "value" ? reading.value : null;

const unread = (limitation: string): Note<"SWAP_UNREAD"> => ({ code: "SWAP_UNREAD", limitation });
const unpromised = unread(
  "What the pools alone would give was not read, so transfer fees of the tokens are not known.",
);

const UNQUOTED =
  "The Universal Router does not say what the pools gave, so fees of tokens show only in what arrives and in the judgement of the token that is bought.";

function measureAll(
  swap: DecodedSwap,
  transaction: SwapTransaction,
  { router, simulation, ifApproved, small }: SwapOutcome,
): SwapMeasurements {
  const measure = (of: DecodedSwap, reading: Reading<SimulatedSwap> | null): MeasuredSwap | null =>
    reading?.status === "value" ? measureSwap(of, transaction.from, reading.value) : null;
  const smallCall = encodeSmallSwap(swap, transaction);
  const smallSwap = smallCall && decodeSwap(smallCall, [router]);
  return {
    whole: measure(swap, simulation),
    ifApproved: measure(swap, ifApproved),
    small: smallSwap && "swap" in smallSwap ? measure(smallSwap.swap, small) : null,
  };
}

/** From the plain call, or else from a simulation of the same calldata. */
function findReturned(swap: DecodedSwap, { call, simulation, ifApproved }: SwapOutcome): SwapAmounts | null {
  const called = call.status === "value" ? decodeReturnedAmounts(swap, call.value) : null;
  if (called !== null) return called;
  const simulated = [simulation, ifApproved].find((one) => one?.status === "value" && one.value.success);
  return simulated?.status === "value" ? decodeReturnedAmounts(swap, simulated.value.returned) : null;
}

const findQuoted = ({ quote }: SwapOutcome): bigint | null =>
  quote?.status === "value" ? decodeQuotedAmount(quote.value) : null;

/** Whether the simulation that every measurement comes from can be relied on. */
function noteSimulation({ call, simulation }: SwapOutcome, whole: MeasuredSwap | null): Note<SwapCode>[] {
  if (simulation.status !== "value") {
    const limitation = "No node ran the measured simulation; amounts are those the router returned, if any.";
    return [{ code: "SIMULATION_UNAVAILABLE", limitation }];
  }
  const byCall = call.status === "unanswered" ? null : call.status !== "reverted";
  const byRunner = simulation.value.success;
  if (byCall !== null && byCall !== byRunner) {
    const limitation =
      "A plain call and the measured simulation ended differently; the sender's own code may be why.";
    return [{ code: "SIMULATION_DISAGREES", limitation }];
  }
  if (byRunner && whole === null)
    return [unread("A token's balances around the simulated swap were not read.")];
  return [];
}

function noteLeft(measured: MeasuredSwap | null): Note<"FUNDS_LEFT_IN_ROUTER">[] {
  const isLeft = measured !== null && Object.values(measured.left).some((amount) => amount > 0n);
  return isLeft ? [{ code: "FUNDS_LEFT_IN_ROUTER" }] : [];
}
