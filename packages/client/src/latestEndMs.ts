import { type CapabilityResult, refreshedAnswerSchema } from "@assay/protocol";

/** How far a caller's clock may be ahead of the chain's without ending an answer too early. */
export const CLOCK_ALLOWANCE_MS = 60_000;

/**
 * When an answer has ended at the latest by the clock, in ms since 1970, whatever the service says about the chain's head.
 * Computed only from signed fields: the time of the block that was read and the seconds for which the answer was sold. An
 * answer that contains a refreshed one ends with the earlier of the two. An answer without these fields has ended.
 */
export function latestEndMs({ result }: Pick<CapabilityResult, "result">): number {
  const { block, validity } = result.evidence;
  const ownMs = (secondsOf(block, "timestamp") + secondsOf(validity, "ttlSeconds")) * 1_000;
  const refreshed = refreshedAnswerSchema.safeParse(result.refreshed).data;
  return refreshed
    ? Math.min(
        ownMs + CLOCK_ALLOWANCE_MS,
        latestEndMs(refreshed),
        Date.parse(refreshed.validUntil.time) + CLOCK_ALLOWANCE_MS,
      )
    : ownMs + CLOCK_ALLOWANCE_MS;
}

function secondsOf(value: unknown, field: string): number {
  const seconds = (Object(value) as Record<string, unknown>)[field];
  return typeof seconds === "number" && Number.isFinite(seconds) ? seconds : 0;
}
