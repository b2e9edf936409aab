import { bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import type { launchPoolsSchema } from "../pools/poolReadings.js";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = recordedAddressSchema;
/** In the smallest unit of the token it counts. */
export const amount = z.string().regex(/^[0-9]{1,78}$/, "must be a whole number");

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
  /** The share of the pool's quote token that is spent, in millionths. */
  sharePpm: z.int().min(1),
  /** Buy, transfer, approve, sell half, sell the rest; null when they did not finish. */
  legs: z.array(launchLegSchema).length(5).nullable(),
});

/** Trades of fresh accounts in the pools that are deep enough, the deepest first. */
export const launchTradesSchema = z
  .array(
    z.strictObject({
      pool: address,
      /** Of V4, as in the pools; left out in older answers. */
      id: hash32Schema.optional(),
      sender: address,
      runs: readingSchema(z.array(launchRunSchema)),
    }),
  )
  .max(48);

/** A purchase and a sale of all that was bought. */
export const roundTripSchema = z.strictObject({
  sender: address,
  sharePpm: z.int().min(1),
  /** Null when they did not finish. */
  legs: z.array(launchLegSchema).length(2).nullable(),
});
/**
 * A purchase, and sales after others have bought: after a third of them, two thirds and all, half and then the rest. In older
 * answers one sale, after all.
 */
export const rushSchema = z.strictObject({
  ...roundTripSchema.shape,
  legs: z.array(launchLegSchema).min(2).max(7).nullable(),
});
/** Sales of half and of the rest by an account that bought nothing in the same transaction. */
export const heldSaleSchema = z.strictObject({
  holder: address,
  /** Null where it could not be given tokens, or the sale did not finish. */
  legs: z.array(launchLegSchema).length(2).nullable(),
});
/** A purchase, and its sale in equal parts. */
export const salesInPartsSchema = z.strictObject({
  /** The purchase and each sale; null where they did not finish. */
  legs: z.array(launchLegSchema).min(2).max(24).nullable(),
});
/** Many fresh accounts in the deepest pool, each with a size of its own. */
export const crowdSchema = readingSchema(z.array(roundTripSchema).max(40));

/** The sale some time after the purchase, in code whose clock was replaced. */
export const laterSchema = readingSchema(
  z.strictObject({
    bought: launchLegSchema,
    sales: z.array(z.strictObject({ wait: z.int().min(0), sale: launchLegSchema })).max(8),
  }),
);

export type LaunchLeg = z.output<typeof launchLegSchema>;
export type LaunchRun = z.output<typeof launchRunSchema>;
export type RoundTrip = z.output<typeof roundTripSchema>;
export type Rush = z.output<typeof rushSchema>;
export type HeldSale = z.output<typeof heldSaleSchema>;
export type SalesInParts = z.output<typeof salesInPartsSchema>;
/** What trades in the pools of a token are judged from. */
export interface TradeReadings {
  readonly pools: z.output<typeof launchPoolsSchema>;
  readonly quotes: { readonly weth: string; readonly stablecoin: string };
  readonly trades: z.output<typeof launchTradesSchema>;
}
