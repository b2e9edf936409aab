import type { LaunchLeg } from "./launchReadings.js";

const WHOLE = 10_000n;

/**
 * What a leg lost, in basis points, rounded to the nearest: the greater of what was missing from the amount promised
 * and of what was missing on the way. A sale's price improves as less reaches the pool, so only the second is exact
 * there. Null where nothing was promised.
 */
export function measureTaxBps({ sent, reached, quoted, received }: LaunchLeg): number | null {
  const lost = missing(BigInt(quoted), BigInt(received));
  const taken = missing(BigInt(sent), BigInt(reached));
  return lost === null || taken === null ? null : Math.max(lost, taken);
}

function missing(promised: bigint, arrived: bigint): number | null {
  if (promised === 0n) return null;
  if (arrived >= promised) return 0;
  return Number(((promised - arrived) * WHOLE * 2n + promised) / (promised * 2n));
}
