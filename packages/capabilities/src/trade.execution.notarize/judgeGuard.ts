import { type DecodedTransaction, inputHashOf } from "@assay/protocol";
import { guardLifetimes } from "../shared/verdict/guardLifetimes.js";
import type { Note } from "../shared/verdict/note.js";
import type { TradeExecutionReadings } from "./readings.js";

export type GuardCode = "GUARD_MATCHED" | "GUARD_OTHER_TRANSACTION" | "GUARD_OUTDATED";

/**
 * Added to the lifetime of an answer: block times are whole seconds, and the lifetime starts after the call was
 * accepted.
 */
const SLACK_SECONDS = 2;

/** Whether the cited guard call was about this transaction, and in time. */
export function judgeGuard(
  { guard, execution }: TradeExecutionReadings,
  transaction: DecodedTransaction | null,
  minedAt: number | null,
) {
  if (guard === null) return { notes: [] as Note<GuardCode>[], finding: null };
  const { invocationId, capabilityId, capabilityVersion, inputHash, resultHash, receiptUrl } = guard;
  const matches =
    inputHash !== null &&
    transaction !== null &&
    inputHash === guardedHash(capabilityId, capabilityVersion, transaction);
  const ttlSeconds = guardLifetimes[capabilityId];
  const ageSeconds = minedAt === null ? null : minedAt - Math.floor(guard.reservedAtMs / 1_000);
  const isInTime =
    minedAt !== null &&
    wasBefore(guard, execution.number, minedAt) &&
    ageSeconds !== null &&
    ageSeconds <= ttlSeconds + SLACK_SECONDS;
  const notes: Note<GuardCode>[] = [
    matches
      ? {
          code: "GUARD_MATCHED",
          limitation:
            "What the guard answered is private to its buyer, who can show it: its hash is the resultHash of the public receipt.",
        }
      : {
          code: "GUARD_OTHER_TRANSACTION",
          limitation: "About the guarded transaction nothing is reported except that it is not this one.",
        },
  ];
  if (matches && !isInTime)
    notes.push({
      code: "GUARD_OUTDATED",
      limitation: `The guard's answer was good for ${ttlSeconds} seconds; the transaction was mined after that, or not shown to be mined after the guard was asked.`,
    });
  return {
    notes,
    finding: {
      invocationId,
      capabilityId,
      matches,
      guardedAtBlock: guard.reservedAtBlock,
      blocksBetween: execution.number - guard.reservedAtBlock,
      secondsBetween: ageSeconds,
      isInTime,
      resultHash,
      receiptUrl,
    },
  };
}

/**
 * Both time and height must be earlier. The height known when the call was accepted may lag behind the chain. A block's
 * time is a whole second, and the call may have come after the block within that second.
 */
function wasBefore(
  { reservedAtBlock, reservedAtMs }: NonNullable<TradeExecutionReadings["guard"]>,
  minedIn: number,
  minedAt: number,
): boolean {
  return reservedAtBlock < minedIn && reservedAtMs < minedAt * 1_000;
}

/** The input hash of a guard call about this transaction; none where the guard could not have been asked about it. */
export function guardedHash(
  capabilityId: string,
  capabilityVersion: string,
  { from, to, data, value }: Pick<DecodedTransaction, "from" | "to" | "data" | "value">,
): string | null {
  if (from === null || to === null) return null;
  return inputHashOf(capabilityId, capabilityVersion, { from, to, data, value: value.toString() });
}
