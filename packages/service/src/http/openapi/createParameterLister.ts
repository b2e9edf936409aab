import { type JsonSchema, jsonSchemaOf, outputJsonSchemaOf } from "@assay/protocol";
import { z } from "zod";
import type { Components } from "./createComponents.js";
import type { Fields, Operation } from "./operation.js";

/** The parameters of an operation as the document has them. */
export type ParameterLister = (operation: Operation) => JsonSchema[];

/** Writes a parameter where it is used, or once in `components` when several operations take the same one. */
export function createParameterLister(
  operations: readonly Operation[],
  components: Components,
): ParameterLister {
  // One field, such as the payment header, is a parameter of many operations.
  const schemas = new Map<z.ZodType, JsonSchema>();
  const schemaOf = (field: z.ZodType) => {
    const schema = schemas.get(field) ?? schemaOfText(field);
    schemas.set(field, schema);
    return schema;
  };
  const described = new Map(
    operations.map((operation) => [operation, describeParameters(operation, schemaOf)]),
  );
  const names = nameShared([...described.values()].flat());
  return (operation) =>
    (described.get(operation) ?? []).map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : components.refer("parameters", name, () => parameter);
    });
}

/** Names for the parameters that occur more than once, by their JSON: `wallet`, and `wallet-2` for another of that name. */
function nameShared(parameters: readonly JsonSchema[]): Map<string, string> {
  const seen = new Set<string>();
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const parameter of parameters) {
    const json = JSON.stringify(parameter);
    if (seen.has(json) && !names.has(json)) {
      const name = String(parameter.name);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      names.set(json, count === 1 ? name : `${name}-${count}`);
    }
    seen.add(json);
  }
  return names;
}

type SchemaOf = (field: z.ZodType) => JsonSchema;

const describeParameters = (
  { pathFields, query, headers, examples }: Operation,
  schemaOf: SchemaOf,
): JsonSchema[] => [
  ...describeFields("path", pathFields, examples, schemaOf),
  ...describeFields("query", query, examples, schemaOf),
  ...describeFields("header", headers, examples, schemaOf),
];

function describeFields(
  place: "path" | "query" | "header",
  fields: Fields | undefined,
  examples: Readonly<Record<string, unknown>> | undefined,
  schemaOf: SchemaOf,
): JsonSchema[] {
  return Object.entries(fields ?? {}).map(([name, field]) => {
    const { description = field.description, ...schema } = schemaOf(field);
    return {
      name,
      in: place,
      ...(!field.safeParse(undefined).success && { required: true }),
      ...(description !== undefined && { description }),
      schema,
      ...(examples?.[name] !== undefined && { example: examples[name] }),
    };
  });
}

/** A parameter is text; where it stands for a number, the document says which. */
function schemaOfText(field: z.ZodType): JsonSchema {
  let inner: unknown = field;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) inner = inner.unwrap();
  const isNumber = inner instanceof z.ZodPipe && inner.out instanceof z.ZodNumber;
  return isNumber ? outputJsonSchemaOf(field) : jsonSchemaOf(field);
}
