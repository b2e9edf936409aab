import { capabilities } from "@assay/capabilities";
import {
  type CapabilityPrices,
  MINIMUM_PRICE_MICRO_USD,
  microUsdFromNumber,
  usdFromMicro,
} from "@assay/protocol";
import { z } from "zod";

const overridesSchema = z.record(
  z.string(),
  z.strictObject({
    cacheHitUsd: z.number().optional(),
    fingerprintHitUsd: z.number().optional(),
    cacheMissUsd: z.number().optional(),
  }),
);

export type PriceBook = ReadonlyMap<string, CapabilityPrices>;

export class PriceBookError extends Error {
  override readonly name = "PriceBookError";
}

/** The contract's prices with an operator's changes, refused where they make no sense. */
export function createPriceBook(overrides: unknown = {}): PriceBook {
  const parsed = overridesSchema.safeParse(overrides);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PriceBookError(`${issue?.path.join(" ") || "price file"}: ${issue?.message.toLowerCase()}`);
  }
  const unknown = Object.keys(parsed.data).find(
    (id) => !capabilities.some((capability) => capability.id === id),
  );
  if (unknown) throw new PriceBookError(`price file names ${unknown}, which is no capability`);
  return new Map(
    capabilities.map((capability) => {
      const changed = parsed.data[capability.id] ?? {};
      const pick = (usd: number | undefined, fallback: bigint, field: string) =>
        usd === undefined ? fallback : toMicro(capability.id, field, usd);
      const prices = {
        hitMicroUsd: pick(changed.cacheHitUsd, capability.prices.hitMicroUsd, "cacheHitUsd"),
        partialMicroUsd: pick(
          changed.fingerprintHitUsd,
          capability.prices.partialMicroUsd,
          "fingerprintHitUsd",
        ),
        missMicroUsd: pick(changed.cacheMissUsd, capability.prices.missMicroUsd, "cacheMissUsd"),
      };
      if (prices.hitMicroUsd > prices.partialMicroUsd || prices.partialMicroUsd > prices.missMicroUsd) {
        throw new PriceBookError(
          `${capability.id}: reuse may not cost more than new work (cacheHitUsd ≤ fingerprintHitUsd ≤ cacheMissUsd)`,
        );
      }
      return [capability.id, prices];
    }),
  );
}

function toMicro(id: string, field: string, usd: number): bigint {
  let micro: bigint;
  try {
    micro = microUsdFromNumber(usd);
  } catch {
    throw new PriceBookError(`${id}: ${field} must be a price in whole millionths of a dollar`);
  }
  if (micro < MINIMUM_PRICE_MICRO_USD) {
    throw new PriceBookError(
      `${id}: ${field} is below the minimum of ${usdFromMicro(MINIMUM_PRICE_MICRO_USD)} USD`,
    );
  }
  return micro;
}

export function getPrices(book: PriceBook, id: string): CapabilityPrices {
  const prices = book.get(id);
  if (!prices) throw new RangeError(`no prices for ${id}`);
  return prices;
}
