import { bytesSchema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import type { launchPoolsSchema } from "../shared/pools/poolReadings.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";

const address = recordedAddressSchema;
/** In the smallest unit of the token it counts. */
const amount = z.string().regex(/^[0-9]{1,78}$/, "must be a whole number");

/** One step of a trade as it was measured. */
export const launchLegSchema = z.strictObject({
  success: z.boolean(),
  /** What left the trader. */
  sent: amount,
  /** What reached the pool, or the receiver of a transfer. */
  reached: amount,
  /** What the pool quoted for it, or the amount of the transfer. */
  quoted: amount,
  received: amount,
  /** What the call returned or reverted with, at most 256 bytes. */
  refusal: bytesSchema,
});

const launchRunSchema = z.strictObject({
  /** The share of the pool's quote token that is spent. */
  shareBps: z.int().min(1),
  /** Buy, transfer, approve, sell half, sell the rest; null when they did not finish. */
  legs: z.array(launchLegSchema).length(5).nullable(),
});

/** Trades of fresh accounts in the pools that are deep enough, the deepest first. */
export const launchTradesSchema = z
  .array(
    z.strictObject({
      pool: address,
      sender: address,
      runs: readingSchema(z.array(launchRunSchema)),
    }),
  )
  .max(16);

export type LaunchLeg = z.output<typeof launchLegSchema>;
export type LaunchRun = z.output<typeof launchRunSchema>;
/** What trades in the pools of a token are judged from. */
export interface TradeReadings {
  readonly pools: z.output<typeof launchPoolsSchema>;
  readonly quotes: { readonly weth: string; readonly stablecoin: string };
  readonly trades: z.output<typeof launchTradesSchema>;
}
