import { rankPools } from "../shared/pools/rankPools.js";
import type { Note } from "../shared/verdict/note.js";
import type { RwaMarketReadings } from "./readings.js";

export type TransferCode =
  | "TRANSFER_RESTRICTED"
  | "TRANSFER_OPEN"
  | "TRANSFER_REFUSED"
  | "RESTRICTION_NOT_ENFORCED"
  | "TRANSFER_SHORT"
  | "SIMULATION_UNAVAILABLE";

type Outcome = "made" | "refused" | "unread";

interface TransferJudgement {
  readonly notes: Note<TransferCode>[];
  /** Measured, not concluded from names. */
  readonly transfers: {
    readonly betweenStrangers: Outcome;
    readonly fromPool: {
      readonly pool: string;
      readonly amount: string;
      readonly outcome: Outcome;
      readonly arrived: string | null;
    } | null;
  };
}

const TRUE = `0x${"0".repeat(63)}1`;

/** ERC-20 answers true; tokens older than that answer nothing. */
function outcomeOf(answer: RwaMarketReadings["stranger"]["transfer"]): Outcome {
  if (answer.status === "unanswered") return "unread";
  return answer.status === "absent" || (answer.status === "value" && answer.value === TRUE)
    ? "made"
    : "refused";
}

/** Judges whether accounts that were never admitted can receive the token, compared with what the token states. */
export function judgeTransfers(
  { stranger, poolTransfer, pools, quotes }: RwaMarketReadings,
  { isRestricted, isPaused }: { readonly isRestricted: boolean; readonly isPaused: boolean },
): TransferJudgement {
  const betweenStrangers = outcomeOf(stranger.transfer);
  const [deepest] = pools.status === "value" ? rankPools(pools.value, quotes.weth) : [];
  const isExpected = deepest !== undefined && deepest.tokenBalance !== "0";
  const isOfDeepest = poolTransfer?.pool === deepest?.pool;
  const measured =
    isOfDeepest && poolTransfer?.outcome.status === "value" ? poolTransfer.outcome.value : null;
  const fromPool: Outcome | null =
    poolTransfer || isExpected
      ? measured === null
        ? "unread"
        : measured.success
          ? "made"
          : "refused"
      : null;
  const outcomes = [betweenStrangers, ...(fromPool === null ? [] : [fromPool])];
  const notes: Note<TransferCode>[] = [];
  if (outcomes.includes("unread")) {
    notes.push({
      code: "SIMULATION_UNAVAILABLE",
      limitation: "A transfer to an unknown account was not simulated.",
    });
  }
  // While all transfers are paused, a failed one shows nothing further.
  if (!isPaused) {
    if (outcomes.includes("made"))
      notes.push({ code: isRestricted ? "RESTRICTION_NOT_ENFORCED" : "TRANSFER_OPEN" });
    if (outcomes.includes("refused"))
      notes.push({ code: isRestricted ? "TRANSFER_RESTRICTED" : "TRANSFER_REFUSED" });
    if (measured?.success && poolTransfer && BigInt(measured.arrived) < BigInt(poolTransfer.amount))
      notes.push({ code: "TRANSFER_SHORT" });
  }
  return {
    notes,
    transfers: {
      betweenStrangers,
      fromPool: poolTransfer && {
        pool: poolTransfer.pool,
        amount: poolTransfer.amount,
        outcome: fromPool ?? "unread",
        arrived: measured?.arrived ?? null,
      },
    },
  };
}
