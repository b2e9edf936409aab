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

/** Text as a terminal would show it, without its escapes; what they conceal, or paint in its own ground's colour, is hidden. */
export function readTerminalText(source: string): TerminalText {
  if (!ANY_ESCAPE.test(source)) return { text: source, hidden: [] };
  const hidden: HiddenText[] = [];
  let text = "";
  let look = PLAIN;
  let at = 0;
  const put = (said: string) => {
    const kind = look.isConcealed
      ? "display_none"
      : look.colour !== "" && look.colour === look.ground
        ? "same_colour"
        : null;
    if (kind === null) text += said;
    else if (said.trim() !== "") hidden.push({ kind, text: said.trim() });
  };
  for (const match of source.matchAll(ESCAPE)) {
    put(source.slice(at, match.index));
    at = match.index + match[0].length;
    const [, parameters = "", final, words] = match;
    if (final === "m") look = applyRendition(look, parameters);
    // The address of a link is no text, its other parts are not shown.
    if (words && /\s/.test(words)) hidden.push({ kind: "comment_like", text: words });
  }
  put(source.slice(at));
  return { text, hidden };
}

interface Look {
  readonly isConcealed: boolean;
  /** As in the escape, empty for the terminal's own. */
  readonly colour: string;
  readonly ground: string;
}
const PLAIN: Look = { isConcealed: false, colour: "", ground: "" };

/** SGR (ECMA-48, 8.3.117) with the colours of ISO 8613-6. */
function applyRendition(look: Look, parameters: string): Look {
  let next = look;
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
