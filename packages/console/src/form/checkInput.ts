import type { CapabilityArguments } from "@assay/client";
import { type CapabilityId, type CapabilityInput, getCapability } from "@assay/client";
import { type FieldError, listFieldErrors } from "@assay/protocol";

/** The typed text of each field; empty fields are left out of the input. */
export type InputValues = Readonly<Record<string, string>>;

export type CheckedInput<Id extends CapabilityId = CapabilityId> =
  | {
      readonly ok: true;
      readonly input: CapabilityArguments<Id>;
      /** The form that is hashed: defaults filled in, one spelling for each value. */
      readonly normalized: CapabilityInput<Id>;
      readonly errors: readonly [];
    }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Checks typed values with the service's own schema, so that errors read as the service writes them. */
export function checkInput<Id extends CapabilityId>(id: Id, values: InputValues): CheckedInput<Id> {
  const given = Object.fromEntries(
    Object.entries(values).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]])),
  );
  const parsed = getCapability(id).input.safeParse(given);
  return parsed.success
    ? {
        ok: true,
        input: given as CapabilityArguments<Id>,
        normalized: parsed.data as CapabilityInput<Id>,
        errors: [],
      }
    : { ok: false, errors: listFieldErrors(parsed.error, given) };
}
