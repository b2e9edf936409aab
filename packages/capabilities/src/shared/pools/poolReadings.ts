import { hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = recordedAddressSchema;
/** In the smallest unit of the token it counts. */
const amount = z.string().regex(/^[0-9]{1,78}$/, "must be a whole number");

/** Uniswap V2's form, V3's, Aerodrome's pools, Aerodrome's Slipstream, and Uniswap V4. */
export const poolKinds = ["classic", "concentrated", "routed", "slipstream", "singleton"] as const;
export type PoolKind = (typeof poolKinds)[number];

const launchPoolSchema = z.strictObject({
  kind: z.enum(poolKinds),
  quote: address,
  /** Hundredths of a basis point. */
  fee: z.int().min(0),
  /** Slipstream's and V4's pools are distinguished by it. */
  tickSpacing: z.int().optional(),
  isStable: z.boolean().optional(),
  /** Of V4, what its manager calls the pool, and the contract that it calls in each trade; left out in older answers. */
  id: hash32Schema.optional(),
  hooks: address.optional(),
  /** Found by an event alone. */
  isNamed: z.boolean().optional(),
  /** The factory, where there are several of one kind. */
  factory: address.optional(),
  /** Whether the factory answered. */
  isRead: z.boolean(),
  /** Null where the factory knows none. For V4 the manager. */
  pool: address.nullable(),
  quoteBalance: amount,
  tokenBalance: amount,
  /** What an ether is assumed to cost in this quote token. */
  perEther: amount.optional(),
});

export const launchPoolsSchema = readingSchema(
  z.strictObject({
    found: z.array(launchPoolSchema).max(120),
    /** What the pair of the two quote tokens holds; zeros where there is none. */
    pricing: z.strictObject({ weth: amount, stablecoin: amount }),
  }),
);

export type LaunchPools = Extract<z.output<typeof launchPoolsSchema>, { status: "value" }>["value"];
export type LaunchPool = z.output<typeof launchPoolSchema>;
