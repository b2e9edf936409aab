import { ProblemError } from "@assay/client";
import type { FieldError } from "@assay/protocol";

/** What the service refused field by field, beyond what the schema knows: of the price, or of the call. */
export function refusalsOf(priceError: unknown, callError: unknown): readonly FieldError[] {
  const refused = [priceError, callError].find((one) => one instanceof ProblemError);
  return refused instanceof ProblemError ? refused.fields : [];
}
