import { type CapabilityInput, type ListedCapability, MAX_DATA_CHARACTERS } from "@assay/capabilities";
import {
  AssayError,
  type FieldError,
  findLoneSurrogate,
  findRepeatedName,
  listFieldErrors,
  lowercaseAddressSchema,
  MAX_JSON_DEPTH,
  nestsTooDeep,
} from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";

export const MAX_BODY_BYTES = 300 * 1024;
export const MAX_HEADER_BYTES = 16 * 1024;
/** Of a paid request's path and query: they share MAX_HEADER_BYTES with the payment, which is sent after signing. */
export const MAX_PAID_TARGET_CHARACTERS = 8 * 1024;
/** Of calldata in the query of a paid route: what MAX_PAID_TARGET_CHARACTERS leave beside the other parameters. */
export const MAX_PAID_QUERY_DATA_CHARACTERS = 7_682;
/** Of calldata in the query of a free route, which shares MAX_HEADER_BYTES with a client's own headers only. */
export const MAX_QUERY_DATA_CHARACTERS = 12_290;

export function invalidInput(fields: readonly FieldError[]): AssayError {
  const sentence = fields.map(({ field, rule }) => `${field} ${rule}`).join("; ");
  return new AssayError("invalid_input", `${sentence}.`, { fields });
}

/** Parses outside data, naming each field and the rule it breaks. */
export function parseFields<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidInput(listFieldErrors(parsed.error, value));
}

/** How many entries of a list a query asks for. */
export const limitSchema = (max: number, usual: number) => {
  const rule = `must be an integer from 1 to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, { error: rule, abort: true })
    .transform(Number)
    .pipe(z.int().min(1, rule).max(max, rule))
    .default(usual);
};

/** A count or a position in a path or a query. */
export const countSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,14})$/, "must be a whole number of at most 15 digits")
  .transform(Number)
  .pipe(z.int().min(0));

/** The wallet that will pay: it binds a quote. */
export const walletQuerySchema = z.object({
  wallet: lowercaseAddressSchema.describe("wallet that will pay"),
});

/** Query parameters by name; one given twice is ambiguous and refused. */
export function readQuery(c: Context): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (values.length > 1) throw invalidInput([{ field: name, rule: "must be given once" }]);
    query[name] = values[0] as string;
  }
  return query;
}

/** Refuses parameters beside a body: a caller that sends a field there would believe that it was read. */
export function verifyQueryNames(
  query: Readonly<Record<string, string>>,
  routeNames: readonly string[] = [],
): void {
  const beside = Object.keys(query).filter((name) => !routeNames.includes(name));
  if (beside.length > 0)
    throw invalidInput(
      beside.map((field) => ({ field, rule: "belongs in the JSON body, not in the query" })),
    );
}

/** The JSON object in the body, or undefined when there is no body. */
export async function readJsonBody(c: Context): Promise<Record<string, unknown> | undefined> {
  const bytes = await readBody(c);
  if (bytes.length === 0) return undefined;
  const text = bytes.toString("utf8");
  if (nestsTooDeep(text))
    throw new AssayError("invalid_json", `The body must be nested at most ${MAX_JSON_DEPTH} levels deep.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AssayError("invalid_json", "The body must be a JSON object.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AssayError("invalid_json", "The body must be a JSON object.");
  }
  const repeated = findRepeatedName(text);
  if (repeated !== null)
    throw invalidInput([{ field: repeated.slice(0, 80), rule: "must be given once in its object" }]);
  return value as Record<string, unknown>;
}

/** Content types of a body that is read: JSON, and the types that clients send by default. */
const BODY_TYPE =
  /^(application\/json|[a-z]+\/[a-z0-9.+-]+\+json|text\/plain|application\/x-www-form-urlencoded)$/;

/** Refuses a body in a coding or of a type that is not read here. */
function verifyBodyType(c: Context): void {
  const coding = c.req.header("content-encoding")?.trim().toLowerCase() ?? "identity";
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (coding === "identity" && (type === "" || BODY_TYPE.test(type))) return;
  const rule = "The body must be application/json, without a Content-Encoding.";
  throw new AssayError("unsupported_media_type", rule);
}

/** The body's bytes, which are never more than the limit. */
export async function readBody(c: Context): Promise<Buffer> {
  verifyBodyType(c);
  const tooLarge = () =>
    new AssayError("body_too_large", `The body must be at most ${MAX_BODY_BYTES} bytes.`);
  if (Number(c.req.header("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = c.req.raw.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) return Buffer.concat(chunks);
    size += next.value.length;
    if (size > MAX_BODY_BYTES) {
      await reader?.cancel();
      throw tooLarge();
    }
    chunks.push(next.value);
  }
}

/** The fields of a capability's input that a request carries; undefined for a bare probe. */
export function pickInputFields(
  capability: ListedCapability,
  source: Readonly<Record<string, unknown>>,
  /** Parameters that are the route's own. */
  routeNames: readonly string[] = ["quote"],
): Record<string, unknown> | undefined {
  const names = Object.keys(capability.input.shape);
  // A body is taken whole, so that unknown properties are refused; a query may carry other parameters.
  if (capability.method === "POST") return Object.keys(source).length > 0 ? { ...source } : undefined;
  const given = names.filter((name) => source[name] !== undefined);
  const others = Object.keys(source).filter((name) => !routeNames.includes(name) && !names.includes(name));
  // A misspelt name is no probe: a caller that sends parameters learns which one is missing before it signs.
  if (given.length === 0 && names.length > 0 && others.length === 0) return undefined;
  const misspelt = others.flatMap((other) => {
    const name = names.find((known) => known.toLowerCase() === other.toLowerCase());
    return name === undefined ? [] : [{ field: other, rule: `is not a known field; ${name} is` }];
  });
  // A caller that writes Symbol for symbol would pay for an answer about no symbol.
  if (misspelt.length > 0) throw invalidInput(misspelt);
  // A transaction with a field left out by its spelling is another transaction, so there every name must be known.
  const taken = capability.reuse === "private" ? [...given, ...others] : given;
  return Object.fromEntries(taken.map((name) => [name, source[name]]));
}

/** Refuses a request whose payment could not be sent beside it, before anyone signs one. */
export function verifyTargetLength(target: string): void {
  if (target.length <= MAX_PAID_TARGET_CHARACTERS) return;
  const rule = `must be at most ${MAX_PAID_TARGET_CHARACTERS} characters, so that a payment can be sent with it; POST /api/mcp takes longer input`;
  throw new AssayError("headers_too_large", `The path with its query ${rule}.`, {
    fields: [{ field: "query", rule }],
  });
}

/** Refuses calldata that a query cannot carry, and says what can. */
export function verifyDataInQuery(
  id: string,
  fields: Readonly<Record<string, unknown>> | undefined,
  maxCharacters: number,
): void {
  if (typeof fields?.data !== "string" || fields.data.length <= maxCharacters) return;
  const post = `POST /api/v1/capabilities/${id}/invoke`;
  const rule = `must be at most ${maxCharacters} characters in a query; ${post} takes ${MAX_DATA_CHARACTERS}`;
  throw invalidInput([{ field: "data", rule }]);
}

export function parseInput(capability: ListedCapability, fields: Record<string, unknown>): CapabilityInput {
  verifyCharacters(fields);
  const input = parseFields(capability.input, fields) as CapabilityInput;
  // Text that holds JSON may have held the escape of half a character.
  verifyCharacters(input);
  return input;
}

/** Refuses what has no hash, and therefore could neither be answered nor paid for. */
function verifyCharacters(fields: unknown): void {
  const path = findLoneSurrogate(fields);
  if (path === undefined) return;
  throw invalidInput([{ field: path.join("."), rule: "must not hold half of a surrogate pair" }]);
}
