import { blockNumberSchema, bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { launchReadingsSchema } from "../shared/launch/launchReadings.js";
import { swapOutcomeShape, swapSimulationSchema } from "../shared/swaps/swapReadings.js";
import { swapRouterSchema } from "../shared/swaps/swapRouters.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";

const code = readingSchema(codeFingerprintSchema);
const answer = readingSchema(bytesSchema);
const amount = z.string().regex(/^(0|[1-9][0-9]*)$/, "must be a decimal integer");

/** Everything amm.swap.guard is judged from, as plain JSON. */
export const swapGuardReadingsSchema = z.strictObject({
  block: z.strictObject({ number: blockNumberSchema, hash: hash32Schema, timestamp: z.int().min(0) }),
  /** From the service's settings, not from the chain: the calldata is decoded by it. */
  router: swapRouterSchema,
  codes: z.strictObject({ router: code, tokenIn: code, tokenOut: code }),
  /** Wei of the sender. */
  nativeBalance: readingSchema(amount),
  /** Answers of the input token about the sender: `balanceOf`, and `allowance` to the router. */
  tokenBalance: answer,
  allowance: answer,
  /** The transaction itself as a plain call. */
  call: answer,
  gasEstimate: readingSchema(amount),
  ...swapOutcomeShape,
  /** The same after an approval of the router; null where native value goes in. */
  ifApproved: swapSimulationSchema.nullable(),
  /** Hooks of V4 pools on the way, with the name of a published one; its address is known, and its code is not judged. */
  hooks: z
    .array(z.strictObject({ address: recordedAddressSchema, knownAs: z.string().max(80).nullable() }))
    .max(8),
  /** The token that is bought, as token.launch.guard reads it; null for one that the exchanges themselves quote in. */
  bought: launchReadingsSchema.nullable(),
});

export type SwapGuardReadings = z.output<typeof swapGuardReadingsSchema>;
