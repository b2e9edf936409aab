import type { HiddenText } from "./types.js";

export interface TerminalText {
  readonly text: string;
  readonly hidden: readonly HiddenText[];
}

const ESC = "\\u{1b}";
/** The 8-bit forms of ESC with another character. */
const C1 = "\\u{90}-\\u{9f}";
/** ECMA-48: control sequences, strings for the terminal (titles, links) within a line, and single escapes. */
const ESCAPE = new RegExp(
  `(?:${ESC}\\[|\\u{9b})([0-?]*)[ -\\/]*([@-~])|(?:${ESC}[\\]PX\\^_]|[\\u{90}\\u{98}\\u{9d}-\\u{9f}])([^\\u{7}${ESC}\\u{9c}\\n]*)(?:\\u{7}|${ESC}\\\\|\\u{9c})?|${ESC}[ -\\/]*[0-~]`,
  "gu",
);
const ANY_ESCAPE = new RegExp(`[${ESC}${C1}]`, "u");

/** The text that a terminal would show, without escapes. Text that is concealed, or has the colour of its ground, is hidden. */
export function readTerminalText(source: string): TerminalText {
  if (!ANY_ESCAPE.test(source)) return { text: source, hidden: [] };
  const hidden: HiddenText[] = [];
  let text = "";
  let rendition = PLAIN;
  let at = 0;
  const put = (words: string) => {
    const kind = rendition.isConcealed
      ? "display_none"
      : rendition.colour !== "" && rendition.colour === rendition.ground
        ? "same_colour"
        : null;
    if (kind === null) text += words;
    else if (words.trim() !== "") hidden.push({ kind, text: words.trim() });
  };
  for (const match of source.matchAll(ESCAPE)) {
    put(source.slice(at, match.index));
    at = match.index + match[0].length;
    const [, parameters = "", final, control] = match;
    if (final === "m") rendition = applyRendition(rendition, parameters);
    // A control string is not shown. One without a blank is only the address of a link.
    if (control && /\s/.test(control)) hidden.push({ kind: "comment_like", text: control });
  }
  put(source.slice(at));
  return { text, hidden };
}

interface Rendition {
  readonly isConcealed: boolean;
  /** As the escape writes it; empty for the terminal's default. */
  readonly colour: string;
  readonly ground: string;
}
const PLAIN: Rendition = { isConcealed: false, colour: "", ground: "" };

/** SGR (ECMA-48, 8.3.117) with the colours of ISO 8613-6. */
function applyRendition(rendition: Rendition, parameters: string): Rendition {
  let next = rendition;
  const codes = parameters.split(/[;:]/).map((code) => Number(code || "0"));
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0;
    if (code === 0) next = PLAIN;
    else if (code === 8 || code === 28) next = { ...next, isConcealed: code === 8 };
    else if (code === 39) next = { ...next, colour: "" };
    else if (code === 49) next = { ...next, ground: "" };
    else if (code === 38 || code === 48) {
      const length = codes[index + 1] === 2 ? 4 : 2;
      const value = codes.slice(index + 1, index + 1 + length).join(" ");
      next = code === 38 ? { ...next, colour: value } : { ...next, ground: value };
      index += length;
    } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))
      next = { ...next, colour: String(code) };
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107))
      next = { ...next, ground: String(code - 10) };
  }
  return next;
}
