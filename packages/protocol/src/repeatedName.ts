/**
 * The first name that an object of a JSON text has twice, or null. Readers differ on which of the two values counts (RFC 8259,
 * section 4), so that two of them would judge two different messages. The text must be JSON.
 */
export function findRepeatedName(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = findEnd(text, at);
      const names = open.at(-1);
      if (isName && names) {
        // Escapes may write one name in several ways.
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        if (names.has(name)) return name;
        names.add(name);
        isName = false;
      }
      at = end;
    } else if (char === "{") {
      open.push(new Set());
      isName = true;
    } else if (char === "[") {
      open.push(null);
      isName = false;
    } else if (char === "}" || char === "]") {
      open.pop();
      isName = false;
    } else if (char === ",") isName = open.at(-1) != null;
  }
  return null;
}

/** Where the text that begins here ends. */
function findEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
