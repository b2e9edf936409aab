import { addressSchema } from "@assay/protocol";

/** An address as readings hold it: of two spellings one would be missed when they are compared. */
export const recordedAddressSchema = addressSchema.refine(
  (value) => value === value.toLowerCase(),
  "must be lowercase",
);
