import type { JsonSchema } from "@assay/protocol";

type Schemas = Readonly<Record<string, JsonSchema>>;

/** A smaller shape is not worth a reference. */
const MIN_BASE_FIELDS = 5;

/** Writes each shape that has all the fields of another as an extension of it, with `allOf`. */
export function extendSchemas(schemas: Schemas, uriOf: (name: string) => string): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const base = findBase(name, schema, schemas);
      return [name, base === undefined ? schema : extend(schema, schemas[base] ?? {}, uriOf(base))];
    }),
  );
}

const fieldsOf = ({ properties = {} }: JsonSchema) => properties as Readonly<Record<string, JsonSchema>>;
const requiredOf = ({ required = [] }: JsonSchema) => required as readonly string[];

/** The largest other shape whose fields a shape has, each the same. */
function findBase(name: string, schema: JsonSchema, schemas: Schemas): string | undefined {
  const fields = fieldsOf(schema);
  const isBase = ([other, base]: readonly [string, JsonSchema]) =>
    other !== name &&
    base.additionalProperties === undefined &&
    Object.keys(fieldsOf(base)).length >= MIN_BASE_FIELDS &&
    Object.keys(fieldsOf(base)).length < Object.keys(fields).length &&
    requiredOf(base).every((field) => requiredOf(schema).includes(field)) &&
    Object.entries(fieldsOf(base)).every(
      ([field, shape]) => JSON.stringify(fields[field]) === JSON.stringify(shape),
    );
  const sizeOf = ([, base]: readonly [string, JsonSchema]) => Object.keys(fieldsOf(base)).length;
  return Object.entries(schemas)
    .filter(isBase)
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))[0]?.[0];
}

function extend(schema: JsonSchema, base: JsonSchema, uri: string): JsonSchema {
  const own = Object.entries(fieldsOf(schema)).filter(([field]) => !(field in fieldsOf(base)));
  return {
    ...schema,
    allOf: [{ $ref: uri }],
    properties: Object.fromEntries(own),
    required: requiredOf(schema).filter((field) => !requiredOf(base).includes(field)),
  };
}
