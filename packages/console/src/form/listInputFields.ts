import { type CapabilityId, getCapability } from "@assay/client";
import { type JsonSchema, jsonSchemaOf } from "@assay/protocol";

/** One field of a capability's input, as a form shows it. */
export interface InputField {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The default that an empty field stands for, if there is one. */
  readonly whenEmpty: string | undefined;
  readonly maxLength: number | undefined;
  /** Long enough to deserve several lines. */
  readonly isLong: boolean;
  /** Hex, numbers and URLs, which no spelling checker should mark. */
  readonly isCode: boolean;
}

const LONG_CHARACTERS = 400;

/** The fields of a capability's form, from the same schema that the service checks requests with. */
export function listInputFields(id: CapabilityId): InputField[] {
  const { properties = {}, required = [] } = jsonSchemaOf(getCapability(id).input) as {
    properties?: Readonly<Record<string, JsonSchema>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const forms = (Array.isArray(schema.anyOf) ? schema.anyOf : [schema]) as JsonSchema[];
    const text = forms.find(({ type }) => type === "string") ?? schema;
    const { default: standard } = schema;
    return {
      name,
      description: String(schema.description ?? text.description ?? ""),
      isRequired: required.includes(name),
      whenEmpty: standard === undefined || standard === null ? undefined : String(standard),
      maxLength: typeof text.maxLength === "number" ? text.maxLength : undefined,
      isLong: Number(text.maxLength) > LONG_CHARACTERS && name !== "url" && name !== "market",
      isCode: typeof text.pattern === "string" || name === "url",
    };
  });
}
