import { readingSchema } from "@assay/protocol";
import { z } from "zod";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = recordedAddressSchema;
/** In the smallest unit of the token it counts. */
const amount = z.string().regex(/^[0-9]{1,78}$/, "must be a whole number");

const launchPoolSchema = z.strictObject({
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

export type LaunchPools = Extract<z.output<typeof launchPoolsSchema>, { status: "value" }>["value"];
export type LaunchPool = z.output<typeof launchPoolSchema>;
