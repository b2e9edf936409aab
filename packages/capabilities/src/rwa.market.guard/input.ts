import { z } from "zod";
import { addressField } from "../shared/inputs/fields.js";

export const input = z.strictObject({
  address: addressField.describe("token address"),
  symbol: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(32, "must be at most 32 characters")
    // Letters of every script are accepted, so that an imitation can be asked about and reported as one.
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not hold control characters")
    .nullable()
    .default(null)
    .describe("symbol the token is traded under, or null"),
});

export type RwaMarketInput = z.output<typeof input>;
