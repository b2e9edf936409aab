import { type CapabilityId } from "@assay/client";
/** One field of a capability's input, as a form shows it. */
export interface InputField {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** What an empty field stands for, where that is something. */
  readonly whenEmpty: string | undefined;
  readonly maxLength: number | undefined;
  /** Long enough to deserve several lines. */
  readonly isLong: boolean;
  /** Hex and numbers, which no spelling checker should touch. */
  readonly isCode: boolean;
}
/** The fields of a capability's form, from the same schema that the service checks requests with. */
export declare function listInputFields(id: CapabilityId): InputField[];
