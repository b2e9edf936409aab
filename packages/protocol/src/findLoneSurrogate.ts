// In this mode a pair is one character, of another category.
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Where a JSON value holds half of a surrogate pair, in a text or in a name; undefined where it holds none. I-JSON (RFC 7493)
 * does not allow one: it is no character, has no bytes in UTF-8, and therefore no hash.
 */
export function findLoneSurrogate(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return LONE_SURROGATE.test(value) ? [] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (LONE_SURROGATE.test(name)) return [name.replace(/\p{Surrogate}/gu, "\ufffd")];
    const path = findLoneSurrogate(inner);
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}
