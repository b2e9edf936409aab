import { z } from "zod";
import { type CapabilityId, capabilityInputs } from "./capabilityInputs.js";

/** JSON Schema 2020-12, as OpenAPI 3.1, MCP and bazaar carry it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a sender of `schema`'s shape must write: before defaults are filled in and spellings normalized. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      // Zod bounds every integer by what JavaScript can count to, which is no rule of ours.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // The pattern of a date repeats its format at fifty times the length.
      if (jsonSchema.format === "date-time" || jsonSchema.format === "date") delete jsonSchema.pattern;
      // Lost where a transformation follows.
      if (zodSchema._zod.def.type === "default" && jsonSchema.default === undefined)
        jsonSchema.default = z.safeParse(zodSchema, undefined).data as never;
    },
  });
  return shape;
}

/** The schema of one capability's input. */
export const inputJsonSchemaOf = (id: CapabilityId): JsonSchema => jsonSchemaOf(capabilityInputs[id]);
