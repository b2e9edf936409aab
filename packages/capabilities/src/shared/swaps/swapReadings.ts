import { bytesSchema, readingSchema } from "@assay/protocol";
import { z } from "zod";

/** The reader cuts what a call returned to this length. */
export const SWAP_ANSWER_BYTES = 4096;

const amount = z.string().regex(/^(0|[1-9][0-9]*)$/, "must be a decimal integer");
/** Null where the token did not answer. */
const word = amount.nullable();

/** Balances around a swap. The recipient is the one the calldata names. */
const balancesSchema = z.strictObject({
  native: z.strictObject({ sender: amount, recipient: amount, router: amount }),
  tokenIn: z.strictObject({ sender: word, router: word }),
  tokenOut: z.strictObject({ recipient: word, router: word }),
  /** Of each other token that the calldata names, in its order, and of the output token itself where it goes to another account. */
  others: z.array(z.strictObject({ sender: word, router: word })).max(13),
});

/** Part of what a swap bought sold back by the same sender right after it, as `encodeResale` says. */
const resaleSchema = z.strictObject({
  /** Whether the token took the approval of the router. */
  approved: z.boolean(),
  success: z.boolean(),
  returned: bytesSchema,
  /** The sender's balance of the token that the swap had taken, before and after the sale. */
  before: word,
  after: word,
});

/** A swap made by the runner at the sender's address, and what it changed. */
const simulatedSwapSchema = z.strictObject({
  success: z.boolean(),
  gasUsed: amount,
  returned: bytesSchema,
  before: balancesSchema,
  after: balancesSchema,
  /** Null where there is nothing to sell back, and for a hundredth of the swap. */
  resale: resaleSchema.nullable(),
});

export const swapSimulationSchema = readingSchema(simulatedSwapSchema);

/** What every judgement of a swap is made from besides its calldata, the block and the plain call. */
export const swapOutcomeShape = {
  simulation: swapSimulationSchema,
  /** A hundredth of the swap, after an approval of the router; null where that is nothing. */
  small: swapSimulationSchema.nullable(),
  /** Answers to `listMarketQuestions`, asked before the hundredth is swapped; null where that is nothing. */
  market: readingSchema(z.array(amount).max(96)).nullable(),
  /** `getAmountsOut` of the router, asked only where the swap's function returns nothing. */
  quote: readingSchema(bytesSchema).nullable(),
};

export type SwapOutcomeReadings = {
  readonly [Name in keyof typeof swapOutcomeShape]: z.output<(typeof swapOutcomeShape)[Name]>;
};
export type SimulatedSwap = z.output<typeof simulatedSwapSchema>;
export type SwapBalances = z.output<typeof balancesSchema>;
