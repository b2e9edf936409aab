import {
  addressSchema,
  blockNumberSchema,
  canonicalClaimSchema,
  claimStatuses,
  hash32Schema,
} from "@assay/protocol";
import { z } from "zod";

/** Milliseconds since 1970, as far as a Date reaches. */
export const instantMsSchema = z.int().min(0).max(8.64e15);

/** An obligation as the service has it on record. */
export const recordedObligationSchema = z.strictObject({
  claimId: hash32Schema,
  claim: canonicalClaimSchema,
  claimStatus: z.enum(claimStatuses),
  openedAtMs: instantMsSchema,
  openedAtBlock: blockNumberSchema,
  survivalHash: hash32Schema.nullable(),
  /** What the receipt says beside the claim; null where there is none. */
  receipt: z
    .strictObject({
      fromBlockHash: hash32Schema,
      toBlockHash: hash32Schema,
      implementationAtToBlock: addressSchema.nullable(),
    })
    .nullable(),
  receiptUri: z.string().nullable(),
  logIndex: z.int().nullable(),
});

export type RecordedObligation = z.output<typeof recordedObligationSchema>;
