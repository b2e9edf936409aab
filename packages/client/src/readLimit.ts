import { isWholeMicroUsd, microUsdFromNumber } from "@assay/protocol";

/** A limit in USD as the caller set it. Throws TypeError at what would limit nothing, or not what it seems to. */
export function readLimit(name: string, usd: number): bigint {
  if (typeof usd !== "number" || !(usd >= 0) || !isWholeMicroUsd(usd))
    throw new TypeError(
      `${name} must be an amount in USD from 0 up, in whole millionths; ${usd} is none. Leave it out to set none.`,
    );
  return microUsdFromNumber(usd);
}
