import type { CapabilityArguments } from "@assay/client";
import { type CapabilityId, type CapabilityInput } from "@assay/client";
import { type FieldError } from "@assay/protocol";
/** What a person has typed, by field; empty fields are left out of the input. */
export type InputValues = Readonly<Record<string, string>>;
export type CheckedInput<Id extends CapabilityId = CapabilityId> =
  | {
      readonly ok: true;
      readonly input: CapabilityArguments<Id>;
      /** As hashes are taken over it: defaults filled in, one spelling for each value. */
      readonly normalized: CapabilityInput<Id>;
      readonly errors: readonly [];
    }
  | {
      readonly ok: false;
      readonly errors: readonly FieldError[];
    };
/** Checks what was typed with the service's own schema, so that errors are named as the service names them. */
export declare function checkInput<Id extends CapabilityId>(id: Id, values: InputValues): CheckedInput<Id>;
