/** The parts of a CSS text between separators outside of brackets and strings; empty parts are kept. */
export function splitCss(text: string, isSeparator: (character: string) => boolean): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\") at++;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    else if (depth <= 0 && isSeparator(character)) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts;
}

export const splitCommas = (text: string) => splitCss(text, (character) => character === ",");

export const splitSpaces = (text: string) =>
  splitCss(text, (character) => /\s/.test(character)).filter(Boolean);

/** Name and content of a value that is one function; undefined for any other. */
export function readFunction(value: string): { readonly name: string; readonly inside: string } | undefined {
  const [, name, inside] = /^([-\w]+)\((.*)\)?$/s.exec(value.trim()) ?? [];
  if (name === undefined || inside === undefined) return undefined;
  return { name: name.toLowerCase(), inside: inside.replace(/\)$/, "").trim() };
}

/** Where the bracket that opens at this place closes; the end of the text where it does not. */
export function closeOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}

/** The functions that a value consists of, in order; undefined where it has anything else. */
export function listFunctions(value: string): { name: string; inside: string }[] | undefined {
  const found: { name: string; inside: string }[] = [];
  for (let at = 0; at < value.length; ) {
    const [, name] = /^([-\w]+)\(/.exec(value.slice(at, at + 40)) ?? [];
    if (name === undefined) return undefined;
    const end = closeOf(value, at + name.length);
    found.push({ name: name.toLowerCase(), inside: value.slice(at + name.length + 1, end).trim() });
    at = end + 1;
    while (/[\s,]/.test(value.charAt(at))) at++;
  }
  return found;
}
