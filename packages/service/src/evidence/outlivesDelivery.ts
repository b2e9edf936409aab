import type { StoredArtifact } from "@assay/capabilities";

/** What settling a payment and carrying the answer to its buyer may take, with some time left to act on it. */
const MIN_LEFT_MS = 3_000;

/**
 * Whether a stored answer will still hold when its buyer has it: 3 seconds of its window are left, or a quarter of a window that is
 * shorter than 12 seconds. What is left ends with its last block or by the clock, whichever is earlier.
 */
export function outlivesDelivery(
  {
    block,
    validUntilBlock,
    freshUntilMs,
  }: Pick<StoredArtifact, "block" | "validUntilBlock" | "freshUntilMs">,
  headBlock: number,
  blockTimeMs: number,
  nowMs = Date.now(),
): boolean {
  const windowMs = (validUntilBlock - block.number) * blockTimeMs;
  const leftMs = Math.min((validUntilBlock - headBlock) * blockTimeMs, freshUntilMs - nowMs);
  return leftMs >= Math.min(MIN_LEFT_MS, windowMs / 4);
}
