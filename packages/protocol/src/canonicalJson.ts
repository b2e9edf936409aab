export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** RFC 8785 text of a JSON value: equal values have equal texts, and therefore equal hashes. */
export function canonicalJson(value: unknown): string {
  const text = write(value, []);
  if (text === undefined) throw notJson();
  return text;
}

const notJson = () => new TypeError("only JSON values have a canonical form");

/** Undefined for what JSON leaves out: undefined, functions and symbols. `within` are the objects around this value. */
function write(value: unknown, within: object[]): string | undefined {
  if (typeof value === "string") return writeText(value);
  if (typeof value === "number" && !Number.isFinite(value)) throw notJson();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (within.includes(value)) throw notJson();
  within.push(value);
  const text = Array.isArray(value) ? writeList(value, within) : writeObject(value, within);
  within.pop();
  return text;
}

/** Printable ASCII without quotes and backslashes: nearly every text, and nothing in it has to be escaped. */
const PLAIN = /^[ !#-[\]-~]*$/;
// In this mode a pair is one character, of another category.
const LONE_SURROGATE = /\p{Surrogate}/u;

/** JSON.stringify writes strings as section 3.2.2.2 says, but escapes lone surrogates, which I-JSON (RFC 7493) does not allow. */
function writeText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (LONE_SURROGATE.test(text)) throw notJson();
  return JSON.stringify(text);
}

function writeList(list: readonly unknown[], within: object[]): string {
  let text = "";
  for (const item of list) text += `${text === "" ? "" : ","}${write(item, within) ?? "null"}`;
  return `[${text}]`;
}

/** Section 3.2.3: by the UTF-16 code units of the names, which is how strings are sorted. */
function writeObject(object: object, within: object[]): string | undefined {
  if ("toJSON" in object && typeof object.toJSON === "function") return write(object.toJSON(), within);
  const values = object as Readonly<Record<string, unknown>>;
  let text = "";
  for (const name of Object.keys(values).sort()) {
    const written = write(values[name], within);
    if (written !== undefined) text += `${text === "" ? "" : ","}${writeText(name)}:${written}`;
  }
  return `{${text}}`;
}
