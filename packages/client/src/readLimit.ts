import { isWholeMicroUsd, microUsdFromNumber } from "@assay/protocol";
import { InvalidArgumentError } from "./invalidArgumentError.js";

/** A limit in USD, in micro-USD. Throws InvalidArgumentError at a value that would limit nothing or something else. */
export function readLimit(name: string, usd: number): bigint {
  if (typeof usd !== "number" || !(usd >= 0) || !isWholeMicroUsd(usd))
    throw new InvalidArgumentError(
      `${name} must be an amount in USD from 0 up, in whole millionths; ${usd} is not. Leave it out for no limit.`,
    );
  return microUsdFromNumber(usd);
}

/** The default limit of one payment, which is that of the official x402 clients. */
export const DEFAULT_MAX_PRICE_USD = 1;
