/** Deepest nesting of arrays and objects taken from a caller; whoever writes such a value again goes as deep in calls. */
export const MAX_JSON_DEPTH = 64;

/** Whether a JSON text nests deeper than that. Text in quotes does not count, and nothing is built. */
export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inText) {
      if (char === "\\") at += 1;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === "[" || char === "{") {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (char === "]" || char === "}") depth -= 1;
  }
  return false;
}
