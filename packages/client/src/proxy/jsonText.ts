/**
 * Slices of a JSON text, so that what is passed on keeps its bytes: order, spaces, escapes and numbers of any size. Every
 * function takes text that JSON.parse has read.
 */

const SPACE = /[ \t\n\r]/;

function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && SPACE.test(text[next] as string)) next += 1;
  return next;
}

/** Where the string that begins here ends, after its closing quote. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from);
  let at = from;
  let depth = 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (char === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (char === "," || SPACE.test(char))) return at;
    at += 1;
  }
  return at;
}

/** The items of an array, each as it is written. */
export function listItems(text: string): string[] {
  const items: string[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (text[at] !== "]") {
    const end = endOfValue(text, at);
    items.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return items;
}

/** The names of an object, read, each with its value as it is written. A name may appear more than once. */
export function listFields(text: string): [name: string, value: string][] {
  const found: [string, string][] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (text[at] !== "}") {
    const endOfName = endOfString(text, at);
    const name = JSON.parse(text.slice(at, endOfName)) as string;
    // Past the colon.
    const from = skipSpace(text, skipSpace(text, endOfName) + 1);
    const end = endOfValue(text, from);
    found.push([name, text.slice(from, end)]);
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return found;
}

/**
 * The text of a body. Undefined where the bytes are not JSON in UTF-8 without a mark at its start (RFC 8259, section 8.1): readers
 * differ on what such bytes say.
 */
export function readJsonText(
  bytes: Uint8Array,
): { readonly text: string; readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** A number that a reader may round: another program would read another one. */
export function findInexactNumber(value: unknown): number | undefined {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "number" && !Number.isSafeInteger(next)) return next;
    if (typeof next === "object" && next !== null)
      for (const inner of Object.values(next)) waiting.push(inner);
  }
  return undefined;
}

/** How many objects and lists are open at once at the deepest place. */
export function measureDepth(text: string): number {
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at) - 1;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}
