/** Longer lists and texts are cut: a reader of an example has seen enough of them by then. */
const MAX_ENTRIES = 2;
/** Of short texts, such as reason codes, most are shown. */
const MAX_SHORT_TEXTS = 12;
const MAX_CHARACTERS = 400;
const KEPT_CHARACTERS = 120;

/** A response as an example shows it, and a sentence for everything that was left out. */
export function shortenExample(value: unknown): {
  readonly value: unknown;
  readonly cuts: readonly string[];
} {
  const cuts = new Set<string>();
  const shorten = (part: unknown, path: string): unknown => {
    if (typeof part === "string" && part.length > MAX_CHARACTERS) {
      cuts.add(`${path || "the text"} is cut where it says …`);
      return `${part.slice(0, KEPT_CHARACTERS)}… (${part.length - KEPT_CHARACTERS} more characters)`;
    }
    if (Array.isArray(part)) {
      const isShort = part.every((entry) => typeof entry === "string" && entry.length <= MAX_CHARACTERS);
      const shown = isShort ? MAX_SHORT_TEXTS : MAX_ENTRIES;
      if (part.length > shown) cuts.add(`${path} shows ${shown} of its entries`);
      return part.slice(0, shown).map((entry) => shorten(entry, `${path}[]`));
    }
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, inside]) => [key, shorten(inside, path ? `${path}.${key}` : key)]),
    );
  };
  return { value: shorten(value, ""), cuts: [...cuts] };
}
