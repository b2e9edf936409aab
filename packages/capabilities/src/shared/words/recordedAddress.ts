import { addressSchema } from "@assay/protocol";

/** An address as readings hold it: in lower case, so that equal addresses compare as equal. */
export const recordedAddressSchema = addressSchema.refine(
  (value) => value === value.toLowerCase(),
  "must be lowercase",
);
