import { bytesSchema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = recordedAddressSchema;
/** In the smallest unit of the token it counts. */
const amount = z.string().regex(/^[0-9]{1,78}$/, "must be a whole number");

export const launchPoolSchema = z.strictObject({
  /** Uniswap V2's form or V3's. */
  kind: z.enum(["classic", "concentrated"]),
  quote: address,
  /** Hundredths of a basis point. */
  fee: z.int().min(0),
  /** Whether the factory answered. */
  isRead: z.boolean(),
  /** Null where the factory knows none. */
  pool: address.nullable(),
  quoteBalance: amount,
  tokenBalance: amount,
});

export const launchPoolsSchema = readingSchema(
  z.strictObject({
    found: z.array(launchPoolSchema).max(16),
    /** What the pair of the two quote tokens holds; zeros where there is none. */
    pricing: z.strictObject({ weth: amount, stablecoin: amount }),
  }),
);

/** One step of a trade as it was measured. */
export const launchLegSchema = z.strictObject({
  success: z.boolean(),
  /** What left the trader. */
  sent: amount,
  /** What came in at the pool, or at the receiver of a transfer. */
  reached: amount,
  /** What the pool promised for it, or the amount of the transfer. */
  quoted: amount,
  received: amount,
  /** What the call returned or reverted with, at most 256 bytes. */
  refusal: bytesSchema,
});

export const launchRunSchema = z.strictObject({
  /** Of what the pool holds of the quote token. */
  shareBps: z.int().min(1),
  /** Buy, transfer, approve, sell half, sell the rest; null when they did not come to their end. */
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

export type LaunchPools = Extract<z.output<typeof launchPoolsSchema>, { status: "value" }>["value"];
export type LaunchPool = z.output<typeof launchPoolSchema>;
export type LaunchLeg = z.output<typeof launchLegSchema>;
export type LaunchRun = z.output<typeof launchRunSchema>;
/** What trades in the pools of a token are judged from. */
export interface TradeReadings {
  readonly pools: z.output<typeof launchPoolsSchema>;
  readonly quotes: { readonly weth: string; readonly stablecoin: string };
  readonly trades: z.output<typeof launchTradesSchema>;
}
