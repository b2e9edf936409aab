/** Enough of each list that a field which came or went is noticed. */
const MAX_ENTRIES = 2;
/** Short texts, such as reason codes, take little space. */
const MAX_SHORT_TEXTS = 12;
const MAX_CHARACTERS = 400;
const KEPT_CHARACTERS = 120;

/** A response as it is recorded: without the rest of its long lists and texts. */
export function shortenRecorded(part: unknown): unknown {
  if (typeof part === "string")
    return part.length > MAX_CHARACTERS ? `${part.slice(0, KEPT_CHARACTERS)}…` : part;
  if (Array.isArray(part)) {
    const isShort = part.every((entry) => typeof entry === "string" && entry.length <= MAX_CHARACTERS);
    return part.slice(0, isShort ? MAX_SHORT_TEXTS : MAX_ENTRIES).map(shortenRecorded);
  }
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, inside]) => [name, shortenRecorded(inside)]));
}
