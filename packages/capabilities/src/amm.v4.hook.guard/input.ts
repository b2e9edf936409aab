import { z } from "zod";
import { addressField, integerField } from "../shared/inputs/fields.js";

export const input = z.strictObject({
  poolManager: addressField.describe(
    "Uniswap v4 pool manager; on Base 0x498581ff718922c3f8e6a244956af099b2652b2b",
  ),
  currency0: addressField.describe("lower currency, zero address for native"),
  currency1: addressField.describe("higher currency"),
  fee: integerField(0, 0x800000)
    .refine((fee) => fee <= 1_000_000 || fee === 0x800000, "must be at most 1000000, or 8388608 if dynamic")
    .describe("pool fee in hundredths of a basis point, 8388608 for dynamic"),
  tickSpacing: integerField(1, 32_767).describe("tick spacing of the pool"),
  hooks: addressField.describe("hook contract, zero address for none"),
});

export type HookGuardInput = z.output<typeof input>;
