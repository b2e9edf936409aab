import type { Hex } from "@assay/protocol";
import { z } from "zod";

export const input = z.strictObject({
  txHash: z
    .string()
    .regex(/^0x[a-fA-F0-9]{64}$/, "must be 0x followed by 64 hex digits")
    .transform((value) => value.toLowerCase() as Hex)
    .describe("hash of a mined transaction"),
  guardInvocationId: z
    .string()
    .regex(/^inv_[0-9a-f]{32}$/, "must be inv_ followed by 32 lowercase hex digits")
    .optional()
    .describe("the payer's own earlier call of a guard about this transaction"),
});

export type TradeExecutionInput = z.output<typeof input>;
