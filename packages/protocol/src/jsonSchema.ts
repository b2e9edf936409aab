import { z } from "zod";

/** JSON Schema 2020-12, as OpenAPI 3.1, MCP and bazaar carry it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const override: NonNullable<z.core.JSONSchemaGeneratorParams["override"]> = ({ zodSchema, jsonSchema }) => {
  // Zod bounds every integer by what JavaScript can count to, which is no rule of ours.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // The pattern of a date repeats its format at fifty times the length.
  if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
  // The names of a JSON object's members are text in any case.
  delete jsonSchema.propertyNames;
  // Lost where a transformation follows.
  if (zodSchema._zod.def.type === "default" && jsonSchema.default === undefined)
    jsonSchema.default = z.safeParse(zodSchema, undefined).data as never;
};

/** What a sender of `schema`'s shape must write: before defaults are filled in and spellings normalized. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input", override });
  return shape;
}

/** The schema of what `schema` makes of its input, for text that stands for something else. */
export function outputJsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "output", override });
  return shape;
}

/** As `jsonSchemaOf`, for many schemas at once; where one holds another of them, it refers to it by `uriOf` its name. */
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
