import { blockNumberSchema, bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { observedReadingsSchema } from "../shared/observations/observedReadings.js";
import {
  simulationConditionsSchema,
  watchedProgramSchema,
} from "../shared/simulation/simulationConditions.js";
import { swapOutcomeShape } from "../shared/swaps/swapReadings.js";
import { swapRouterSchema } from "../shared/swaps/swapRouters.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";

const address = recordedAddressSchema;
const code = readingSchema(codeFingerprintSchema);
/** What a call returned. The reader cuts it, so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, "must be a decimal integer");

/** Measured in the order the rule plans: native balances of its accounts, then one word per measurement. */
const stateSchema = z.strictObject({
  native: z.array(decimal).max(8),
  /** Null where a view gave no word. */
  words: z.array(decimal.nullable()).max(80),
});

/** What the node's own trace of the plain transaction shows about the holders whose assets are measured. */
const traceSchema = z.strictObject({
  success: z.boolean(),
  gasUsed: decimal,
  returned: bytesSchema,
  /** Native currency from or to a holder, in wei. */
  moves: z.array(z.strictObject({ from: address, to: address, value: decimal })).max(64),
  /** Events that name a holder. */
  logs: z.array(z.strictObject({ address, topics: z.array(hash32Schema).max(4), data: bytesSchema })).max(64),
  /** Whether a contract was created on the way. */
  creates: z.boolean(),
});

/** Everything transaction.intent.guard is judged from besides the transaction itself, as plain JSON. */
export const transactionIntentReadingsSchema = z.strictObject({
  block: z.strictObject({
    number: blockNumberSchema,
    hash: hash32Schema,
    /** Unix seconds. */
    timestamp: z.int().min(0),
  }),
  target: observedReadingsSchema.pick({
    code: true,
    slots: true,
    paused: true,
    masterCopy: true,
    beaconImplementation: true,
  }),
  senderCode: code,
  counterparties: z.array(z.strictObject({ address, code })).max(8),
  /** Answers of `totalSupply()`. */
  supplies: z.array(z.strictObject({ token: address, supply: answer })).max(8),
  /** Answer of the transaction as a plain call. */
  call: answer,
  /** Gas, decimal. */
  gasEstimate: readingSchema(decimal),
  /** The transaction made by the runner in the sender's place. */
  simulation: readingSchema(
    z.strictObject({
      success: z.boolean(),
      gasUsed: decimal,
      returned: bytesSchema,
      before: stateSchema,
      after: stateSchema,
    }),
  ),
  /** Absent where no node offers traces. */
  trace: readingSchema(traceSchema),
  /** Wei of the sender, before it pays for anything. */
  senderBalance: readingSchema(decimal),
  conditions: simulationConditionsSchema,
  /** Whose code runs, according to the trace. It is read only where the node did not apply the fees that were asked for. */
  programs: z.strictObject({
    isCut: z.boolean(),
    list: z.array(watchedProgramSchema.extend({ isCalledByOthers: z.boolean() })).max(24),
  }),
  /** The routers that the service supports: not read from the chain, but needed to decode the calldata. */
  swapRouters: z.array(swapRouterSchema),
  /** The one swap of a transaction to such a router, as amm.swap.guard reads it; null where there is none. */
  swap: z.strictObject(swapOutcomeShape).nullable(),
  /** The service's newest settled observation of the target. */
  previous: observedReadingsSchema.shape.previous,
});

export type TransactionIntentReadings = z.output<typeof transactionIntentReadingsSchema>;
