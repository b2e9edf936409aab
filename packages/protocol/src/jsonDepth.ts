/** Deepest nesting of arrays and objects that is accepted from a caller; code that serializes such a value recurses as deep. */
export const MAX_JSON_DEPTH = 64;

/** Whether a JSON text is nested deeper than that. It scans the text without parsing it; strings do not count. */
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
