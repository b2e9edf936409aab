import { bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { delegationOrigins } from "../machine/programReading.js";
import { recordedAddressSchema } from "../words/recordedAddress.js";

/** Slots that were read to follow a call. More than any known proxy needs. */
export const MAX_FOLLOWED_SLOTS = 24;

/** To whom a contract passes a call to an unknown function, found by running its code. */
export const delegationReadingSchema = z.strictObject({
  /** `unresolved` depends on something else than storage and answers; `unread` on something that no node answered. */
  outcome: z.enum(["none", "delegates", "unresolved", "unread"]),
  origin: z.enum(delegationOrigins).nullable(),
  /** Null too where a beacon names it, which is asked with the other readings. */
  target: recordedAddressSchema.nullable(),
  /** The slot that holds the address. */
  slot: hash32Schema.nullable(),
  /** The contract that named it, and the question. */
  asked: z.strictObject({ to: recordedAddressSchema, data: bytesSchema }).nullable(),
  /** What was read of the contract's own storage to find out. */
  slots: z
    .array(z.strictObject({ slot: hash32Schema, value: readingSchema(hash32Schema) }))
    .max(MAX_FOLLOWED_SLOTS),
});
export type DelegationReading = z.output<typeof delegationReadingSchema>;

export const noDelegation: DelegationReading = {
  outcome: "none",
  origin: null,
  target: null,
  slot: null,
  asked: null,
  slots: [],
};
