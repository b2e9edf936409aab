import { blockNumberSchema, bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "./fingerprintBytecode.js";
import { swapRouterSchema } from "./swap/swapRouters.js";

/** What a call returned is cut to so much by the reader. */
export const SWAP_ANSWER_BYTES = 4096;

const code = readingSchema(codeFingerprintSchema);
const answer = readingSchema(bytesSchema);
const amount = z.string().regex(/^(0|[1-9][0-9]*)$/, "must be a decimal integer");
/** Null where the token did not answer. */
const word = amount.nullable();

/** Balances around a swap. The recipient is the one the calldata names. */
const balancesSchema = z.strictObject({
  native: z.strictObject({ sender: amount, recipient: amount, router: amount }),
  tokenIn: z.strictObject({ sender: word, router: word }),
  tokenOut: z.strictObject({ recipient: word, router: word }),
});

/** A swap made by the runner at the sender's address, and what it changed. */
const simulatedSwapSchema = z.strictObject({
  success: z.boolean(),
  gasUsed: amount,
  returned: bytesSchema,
  before: balancesSchema,
  after: balancesSchema,
});
const simulation = readingSchema(simulatedSwapSchema);

/** Everything amm.swap.guard is judged from, as plain JSON. */
export const swapGuardReadingsSchema = z.strictObject({
  block: z.strictObject({ number: blockNumberSchema, hash: hash32Schema, timestamp: z.int().min(0) }),
  /** As the service supports it: no reading of the chain, but what the calldata is decoded by. */
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
  simulation,
  /** The same after an approval of the router; null where native value goes in. */
  ifApproved: simulation.nullable(),
  /** A hundredth of the swap, after such an approval; null where that is nothing. */
  small: simulation.nullable(),
  /** `getAmountsOut` of the router, asked only where the swap's function returns nothing. */
  quote: answer.nullable(),
});

export type SwapGuardReadings = z.output<typeof swapGuardReadingsSchema>;
export type SimulatedSwap = z.output<typeof simulatedSwapSchema>;
export type SwapBalances = z.output<typeof balancesSchema>;
