import { hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = recordedAddressSchema;

/** What else the creator of a token made. */
export const siblingReadingsSchema = z.strictObject({
  /** The account that created the token, and how many creations or transactions of it came before; null where none was found. */
  creation: z.strictObject({ creator: address, nonce: z.int().min(0) }).nullable(),
  /** A published factory that the token names. It makes too many tokens for these to say anything. */
  factory: z.strictObject({ address, name: z.string().max(128) }).nullable(),
  /** Of the creations with the nearest numbers, those that have code; null where none was read. */
  others: readingSchema(
    z.array(z.strictObject({ nonce: z.int().min(0), codeHash: hash32Schema })).max(32),
  ).nullable(),
});
export type SiblingReadings = z.output<typeof siblingReadingsSchema>;
