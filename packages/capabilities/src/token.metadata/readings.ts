import { bytesSchema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { LABEL_ANSWER_BYTES } from "../shared/labels/labelAnswer.js";

/** A number is one word; a second one is kept to show that there was more. */
export const NUMBER_ANSWER_BYTES = 64;

/** What a call returned, as bytes. The rule decides what they mean. */
const answer = (maxBytes: number) =>
  readingSchema(bytesSchema.refine((value) => value.length <= 2 + maxBytes * 2, "must be cut to its bound"));

/** Everything token.metadata is judged from, as plain JSON. */
export const tokenMetadataReadingsSchema = z.strictObject({
  code: readingSchema(codeFingerprintSchema),
  name: answer(LABEL_ANSWER_BYTES),
  symbol: answer(LABEL_ANSWER_BYTES),
  decimals: answer(NUMBER_ANSWER_BYTES),
  totalSupply: answer(NUMBER_ANSWER_BYTES),
});

export type TokenMetadataReadings = z.output<typeof tokenMetadataReadingsSchema>;
