import fc from "fast-check";
import {
  type Document,
  type DocumentParameter,
  listParameters,
  type Placed,
  resolve,
  type Schema,
} from "../src/http/openapi/testing/readDocument.js";
import { anyText } from "../test/anyText.js";

/** One request, as it is sent. */
export interface ContractRequest {
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Values that a caller may have at hand and a document cannot know, by the name of the field. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** Requests to one route: mostly as the document says, partly with fields left out, misspelt or filled with anything. */
export function requestsOf(
  document: Document,
  { path, method, operation }: Placed,
  known: KnownValues,
): fc.Arbitrary<ContractRequest> {
  const { requestBody } = operation;
  const parameters = listParameters(document, operation);
  const fieldsIn = (place: DocumentParameter["in"]) =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((one) => one.in === place)
          .map((one) => [
            one.name,
            fieldOf(document, one, known).map(place === "header" ? toHeader : toText),
          ]),
      ),
    );
  const body = requestBody
    ? bodyOf(document, requestBody.content["application/json"], known)
    : fc.constant(undefined);
  return fc
    .record({
      inPath: fieldsIn("path"),
      query: fieldsIn("query"),
      headers: fieldsIn("header"),
      extra: extraQuery,
      body,
    })
    .map(({ inPath, query, headers, extra, body: text }) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(inPath[name] || "-"),
      );
      const search = new URLSearchParams(withoutUndefined({ ...query, ...extra })).toString();
      return {
        target: search ? `${filled}?${search}` : filled,
        headers: {
          ...withoutUndefined(headers),
          ...(method === "POST" && { "content-type": "application/json" }),
        },
        body: method === "POST" ? text : undefined,
      };
    });
}

const withoutUndefined = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );

const extraQuery = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), { maxKeys: 2 }),
  },
);

/** Texts that have broken parsers before. */
const oddTexts = fc.constantFrom(
  "",
  "0",
  "-1",
  "0x",
  "null",
  "[object Object]",
  "\u0000",
  "\ud83d\ude00",
  "%",
  "1e999",
  "__proto__",
  "9".repeat(80),
  "é".repeat(70),
);
const oddValues = fc.oneof(oddTexts, fc.string({ maxLength: 40 }), fc.jsonValue({ maxDepth: 2 }));

function fieldOf(
  document: Document,
  { name, required, schema, example }: DocumentParameter,
  known: KnownValues,
): fc.Arbitrary<unknown> {
  const given = [...(known[name] ?? []), ...(example === undefined ? [] : [example])];
  return fc.oneof(
    ...(given.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...given) }] : []),
    { weight: 3, arbitrary: valueFor(document, schema) },
    { weight: required ? 1 : 4, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: oddValues },
  );
}

/** How a value stands in a path or a query; half of a surrogate pair cannot be sent. */
function toText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll(/\p{Surrogate}/gu, "?");
}

/** Clients send no control characters and nothing beyond Latin-1 in a header. */
const toHeader = (value: unknown): string | undefined =>
  toText(value)
    ?.replaceAll(/[^\t\x20-\x7e\xa0-\xff]/gu, (char) => encodeURIComponent(char))
    .trim();

function bodyOf(
  document: Document,
  { schema, example }: { readonly schema: Schema; readonly example: unknown },
  known: KnownValues,
): fc.Arbitrary<string> {
  const changed = fc
    .tuple(valueFor(document, schema, known), fc.string({ maxLength: 12 }), oddValues, fc.boolean())
    .map(([value, name, odd, alter]) => {
      if (!alter || typeof value !== "object" || value === null) return value;
      const keys = Object.keys(value);
      return { ...value, [keys[name.length % Math.max(keys.length, 1)] ?? name]: odd };
    });
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(JSON.stringify(example)) },
    { weight: 6, arbitrary: valueFor(document, schema, known).map((value) => JSON.stringify(value)) },
    { weight: 6, arbitrary: changed.map((value) => JSON.stringify(value) ?? "") },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: anyText({ maxLength: 60 }) },
  );
}

/** Values of a schema; what it cannot express, such as that a hash is known here, comes from `known`. */
function valueFor(document: Document, given: Schema, known: KnownValues = {}): fc.Arbitrary<unknown> {
  const schema = resolve<Schema>(document, given);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valueFor(document, one, known)));
  const { minimum, maximum, minLength, maxLength } = schema as Record<string, number | undefined>;
  switch (schema.type) {
    case "integer":
      return fc.integer({ min: minimum ?? -1_000_000, max: maximum ?? 1_000_000_000 });
    case "number":
      return fc.double({ min: minimum ?? 0, max: maximum ?? 1e6, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      if (schema.format === "date-time")
        return fc
          .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
          .map((at) => at.toISOString());
      if (typeof schema.pattern === "string" && !schema.pattern.includes("\\p"))
        return textOf(schema.pattern);
      return fc.string({ minLength: minLength ?? 0, maxLength: Math.min(maxLength ?? 60, 200) });
    default:
      return objectOf(document, schema, known);
  }
}

const knownTexts = new Map<string, fc.Arbitrary<string>>();
/** Texts of a pattern. Each is made once, because fast-check takes long to compare a pattern with texts that break programs. */
function textOf(pattern: string): fc.Arbitrary<string> {
  const known = knownTexts.get(pattern);
  if (known) return known;
  const made = fc.stringMatching(new RegExp(pattern, "u"), { size: "xsmall" });
  knownTexts.set(pattern, made);
  return made;
}

function objectOf(document: Document, schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, inside]) => {
    const values = known[name] ?? [];
    const made = valueFor(document, inside, known);
    return [name, values.length > 0 ? fc.oneof(fc.constantFrom(...values), made) : made] as const;
  });
  if (fields.length === 0) return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }));
  const requiredKeys = fields.map(([name]) => name).filter((name) => schema.required?.includes(name));
  return fc.record(Object.fromEntries(fields), { requiredKeys });
}
