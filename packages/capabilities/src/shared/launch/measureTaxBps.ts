import type { LaunchLeg } from "./tradeReadings.js";

const WHOLE = 10_000n;

/**
 * What a leg lost, in basis points, rounded to the nearest: the greater of the loss against the quoted amount and the loss
 * on the way to the pool or receiver. A sale's price improves as less reaches the pool, so only the second is exact there.
 * Null where nothing was quoted.
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
