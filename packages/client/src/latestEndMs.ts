import { type CapabilityResult, refreshedAnswerSchema } from "@assay/protocol";

/** How far a caller's clock may be ahead of the chain's before an answer is ended too early. */
export const CLOCK_ALLOWANCE_MS = 60_000;

/**
 * When an answer has ended at the latest by the clock, in ms since 1970, wherever the chain is said to be. Only of what
 * the signature covers: the time of the block that was read and the seconds it was sold for; of an answer that holds
 * another one, whichever of both ends first. One that states neither has ended.
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
