import { ProblemError } from "@assay/client";
import type { FieldError } from "@assay/protocol";

/** The fields that the service refused beyond the schema, when the price was asked or the call was made. */
export function refusalsOf(priceError: unknown, callError: unknown): readonly FieldError[] {
  const refused = [priceError, callError].find((one) => one instanceof ProblemError);
  return refused instanceof ProblemError ? refused.fields : [];
}
