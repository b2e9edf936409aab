import { z } from "zod";

/** JSON Schema 2020-12, as OpenAPI 3.1, MCP and bazaar use it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const override: NonNullable<z.core.JSONSchemaGeneratorParams["override"]> = ({ zodSchema, jsonSchema }) => {
  // Zod bounds every integer by the safe integers of JavaScript, which is not a rule of the wire shape.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // The pattern of a date only repeats its format, at fifty times the length.
  if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
  // Names of members are strings in every JSON object.
  delete jsonSchema.propertyNames;
  // Zod omits the default where a transformation follows.
  if (zodSchema._zod.def.type === "default" && jsonSchema.default === undefined)
    jsonSchema.default = z.safeParse(zodSchema, undefined).data as never;
};

/** The schema of what a sender must write: before defaults are filled in and values are normalized. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input", override });
  return shape;
}

/** The schema of the parsed value, for fields whose text stands for something else. */
export function outputJsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "output", override });
  return shape;
}

/** `jsonSchemaOf` for many schemas at once; a schema that contains another of them refers to it by `uriOf` its name. */
export function jsonSchemasOf(
  named: Readonly<Record<string, z.ZodType>>,
  uriOf: (name: string) => string,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: "input", override, uri: uriOf });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...shape }]) => [id, shape]),
  );
}
