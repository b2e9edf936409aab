import type { JsonSchema } from "@assay/protocol";

/** Longer sentences are cut. */
const MAX_SENTENCE = { characters: 44, kept: 32 };
/** Longer words, such as URLs, are cut. */
const MAX_WORD = { characters: 44, kept: 24 };
/** In parts without a schema, longer texts are cut: an address is shown whole, a hash is not. */
const MAX_OPEN_TEXT = { characters: 42, kept: 12 };
/** Entries of a list, and of a list of short texts such as reason codes. */
const MAX_ENTRIES = 1;
const MAX_SHORT_TEXTS = 2;
/** Fields of an object without a schema, by depth; a deeper object is cut. */
const MAX_OPEN_FIELDS = [4, 1, 1];
const CUT = "…";

type Limit = { readonly characters: number; readonly kept: number };

/**
 * A recorded answer as the document shows it. Everything that its schema demands is kept, so that the example stays valid.
 * Lists, texts and parts without a schema show their beginning.
 */
export function shortenExample(
  value: unknown,
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): unknown {
  const shorten = (part: unknown, given: JsonSchema): unknown => {
    const followed = followSchema(part, given, schemas);
    const { properties, items = {}, pattern, format, enum: values, const: only } = followed;
    if (typeof part === "string")
      return pattern || format || values || only ? part : cut(part, limitOf(part));
    if (Array.isArray(part)) return beginningOf(part).map((entry) => shorten(entry, items as JsonSchema));
    if (typeof part !== "object" || part === null) return part;
    if (!properties) return shortenOpen(part, 0);
    const known = properties as Readonly<Record<string, JsonSchema>>;
    return Object.fromEntries(
      Object.entries(part).map(([name, inside]) => [name, shorten(inside, known[name] ?? {})]),
    );
  };
  return shorten(value, schema);
}

function shortenOpen(part: unknown, depth: number): unknown {
  const mostFields = MAX_OPEN_FIELDS[depth];
  if (typeof part === "string") return cut(part, MAX_OPEN_TEXT);
  if (Array.isArray(part)) return beginningOf(part).map((entry) => shortenOpen(entry, depth + 1));
  if (typeof part !== "object" || part === null) return part;
  if (mostFields === undefined) return CUT;
  const shown = Object.entries(part).slice(0, mostFields);
  return Object.fromEntries(shown.map(([name, inside]) => [name, shortenOpen(inside, depth + 1)]));
}

const limitOf = (text: string): Limit => (text.includes(" ") ? MAX_SENTENCE : MAX_WORD);

const cut = (text: string, { characters, kept }: Limit): string =>
  text.length > characters ? `${text.slice(0, kept)}${CUT}` : text;

function beginningOf(list: readonly unknown[]): readonly unknown[] {
  const isShort = list.every((entry) => typeof entry === "string" && entry.length <= MAX_WORD.characters);
  return list.slice(0, isShort ? MAX_SHORT_TEXTS : MAX_ENTRIES);
}

/** The schema behind references, and of several the first that a value fits. */
function followSchema(
  value: unknown,
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  if (typeof schema.$ref === "string") {
    const referred = schemas[schema.$ref.split("/").at(-1) ?? ""];
    return referred ? followSchema(value, referred, schemas) : {};
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(options)) return schema;
  const followed = (options as JsonSchema[]).map((option) => followSchema(value, option, schemas));
  return followed.find((option) => fits(value, option)) ?? {};
}

/** Whether a value is of a schema's kind and has its required fields. Texts and numbers are one kind here. */
function fits(value: unknown, { type, required = [] }: JsonSchema): boolean {
  if (value === null || typeof value !== "object") return type !== "object" && type !== "null";
  if (Array.isArray(value)) return type === "array";
  return type === "object" && (required as readonly string[]).every((name) => name in value);
}
