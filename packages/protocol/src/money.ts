/**
 * Money inside Assay is a bigint count of micro-USD (1 USD = 1,000,000), the same unit as that of a stablecoin
 * with six decimals, so a price in micro-USD is also the amount of tokens. JSON numbers are used only on the wire.
 */
const MICRO_PER_USD = 1_000_000;

/** Parses a JSON price. Throws a RangeError for fractions of a micro-USD instead of rounding them. */
export function microUsdFromNumber(usd: number): bigint {
  const micro = Math.round(usd * MICRO_PER_USD);
  if (!Number.isSafeInteger(micro) || Math.abs(micro / MICRO_PER_USD - usd) > 1e-12 * Math.max(1, usd)) {
    throw new RangeError(`${usd} USD is not a whole number of micro-USD`);
  }
  return BigInt(micro);
}

/** For schemas: whether a JSON price can be taken without rounding it. */
export function isWholeMicroUsd(usd: number): boolean {
  try {
    microUsdFromNumber(usd);
    return true;
  } catch {
    return false;
  }
}

/** The JSON form of an amount; exact for every amount below nine billion USD. */
export function usdFromMicro(microUsd: bigint): number {
  return Number(microUsd) / MICRO_PER_USD;
}

/** The prices of a call, by how much of its answer is already known. */
export interface CapabilityPrices {
  readonly hitMicroUsd: bigint;
  readonly partialMicroUsd: bigint;
  readonly missMicroUsd: bigint;
}

/** The lowest price of a call: facilitators refuse smaller settlements. */
export const MINIMUM_PRICE_MICRO_USD = 1_000n;
