import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { headers as describedHeaders } from "../headers.js";
import {
  type Document,
  type DocumentHeader,
  type DocumentResponse,
  listPlaced,
  resolve,
  type Schema,
} from "./readDocument.js";

/** An answer as it came. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** States in one sentence each what an answer has that the document does not describe. */
export type AnswerCheck = (route: string, answer: GivenAnswer) => string[];

/** Takes the document at its word: other statuses, types and fields, missing headers and unnamed ones are all found. */
export function createAnswerCheck(document: Document): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false });
  ajvFormats.default(ajv);
  ajv.addSchema({ $id: "document", ...(closeObjects(document, document) as object) });
  const describedNames = Object.keys(describedHeaders);
  const operations = new Map(listPlaced(document).map((placed) => [placed.route, placed]));
  const compiled = new Map<string, ValidateFunction>();
  const compile = (pointer: string) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  return (route, { status, headers, text }) => {
    const placed = operations.get(route);
    const listed = placed?.operation.responses[status];
    if (!placed || !listed)
      return [`${route} answers ${status}, which is not documented: ${text.slice(0, 300)}`];
    const response = resolve<DocumentResponse>(document, listed);
    const named = response.headers ?? {};
    const missing = Object.entries(named)
      .filter(([, header]) => resolve<DocumentHeader>(document, header).required)
      .map(([name]) => name)
      .filter((name) => headers.get(name) === null);
    // Shared with other routes, the problems of a deprecated one leave these to its description.
    const implied = placed.operation.deprecated ? ["Deprecation", "Link"] : [];
    const unnamed = describedNames.filter(
      (name) => headers.get(name) && !named[name] && !implied.includes(name),
    );
    const faults = [
      ...missing.map((name) => `${route} answers ${status} without ${name}`),
      ...unnamed.map((name) => `${route} answers ${status} with ${name}, which is not documented`),
    ];
    const given = headers.get("content-type")?.split(";")[0] ?? "";
    const [mediaType] = Object.keys(response.content ?? {});
    if (mediaType === undefined)
      return text === "" ? faults : [...faults, `${route} answers ${status} with a body`];
    if (given !== mediaType) return [...faults, `${route} answers ${status} in ${given}, not ${mediaType}`];
    const base =
      "$ref" in listed
        ? listed.$ref.slice(1)
        : pointerTo("paths", placed.path, placed.method.toLowerCase(), "responses", String(status));
    const validate = compile(`${base}${pointerTo("content", mediaType, "schema")}`);
    const body: unknown = mediaType.endsWith("json") ? JSON.parse(text) : text;
    if (validate(body)) return faults;
    return [...faults, `${route} answers ${status} with another shape: ${ajv.errorsText(validate.errors)}`];
  };
}

/** A JSON pointer (RFC 6901) in a URI fragment. */
const pointerTo = (...parts: string[]) =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/** What the document leaves open for later versions is closed here: a field that it does not name is found. */
function closeObjects(document: Document, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((entry) => closeObjects(document, entry));
  if (typeof part !== "object" || part === null) return part;
  const whole = "allOf" in part ? mergeBases(document, part as Schema) : part;
  const closed = Object.fromEntries(
    Object.entries(whole).map(([key, inside]) => [key, closeObjects(document, inside)]),
  );
  const isShape = closed.type === "object" && typeof closed.properties === "object";
  return isShape && closed.additionalProperties === undefined
    ? { ...closed, additionalProperties: false }
    : closed;
}

/** An extension with the fields of the shapes that it extends: closed by themselves, those would refuse its own fields. */
function mergeBases(document: Document, { allOf = [], ...own }: Schema): Schema {
  const parts = [...allOf.map((base) => resolve<Schema>(document, base)), own];
  return {
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}
