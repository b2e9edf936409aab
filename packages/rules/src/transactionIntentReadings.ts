import { addressSchema, blockNumberSchema, bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { contractChangeReadingsSchema } from "./contractChangeReadings.js";
import { codeFingerprintSchema } from "./fingerprintBytecode.js";

const address = addressSchema.refine((value) => value === value.toLowerCase(), "must be lowercase");
const code = readingSchema(codeFingerprintSchema);
/** What a call returned, cut by the reader so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, "must be a decimal integer");

/** Measured in the order the rule plans: native balances of its accounts, then one word per measurement. */
const stateSchema = z.strictObject({
  native: z.array(decimal).max(8),
  /** Null where a view gave no word. */
  words: z.array(decimal.nullable()).max(80),
});

/** Everything transaction.intent.guard is judged from besides the transaction itself, as plain JSON. */
export const transactionIntentReadingsSchema = z.strictObject({
  block: z.strictObject({
    number: blockNumberSchema,
    hash: hash32Schema,
    /** Unix seconds. */
    timestamp: z.int().min(0),
  }),
  target: contractChangeReadingsSchema.pick({
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
  /** The service's newest settled observation of the target. */
  previous: contractChangeReadingsSchema.shape.previous,
});

export type TransactionIntentReadings = z.output<typeof transactionIntentReadingsSchema>;
