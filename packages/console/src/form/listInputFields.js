import { getCapability } from "@assay/client";
import { jsonSchemaOf } from "@assay/protocol";

const LONG_CHARACTERS = 400;
/** The fields of a capability's form, from the same schema that the service checks requests with. */
export function listInputFields(id) {
  const { properties = {}, required = [] } = jsonSchemaOf(getCapability(id).input);
  return Object.entries(properties).map(([name, schema]) => {
    const forms = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
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
//# sourceMappingURL=listInputFields.js.map
