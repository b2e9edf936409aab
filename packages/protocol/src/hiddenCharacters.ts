/**
 * Characters that a reader does not see, or that change how others are displayed. They are listed here
 * instead of taken from the runtime's Unicode tables, so that every runtime gives the same verdict.
 */
const HIDDEN = new RegExp(
  `[${[
    "\\u{0}-\\u{1f}\\u{7f}-\\u{9f}", // control characters
    "\\u{61c}\\u{200e}\\u{200f}\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}", // bidirectional controls (UAX #9)
    "\\u{ad}\\u{34f}\\u{180b}-\\u{180f}\\u{200b}-\\u{200d}\\u{2060}-\\u{2065}\\u{206a}-\\u{206f}\\u{feff}", // zero width
    "\\u{fe00}-\\u{fe0f}\\u{e0000}-\\u{e0fff}", // variation selectors, tags
    "\\u{115f}\\u{1160}\\u{17b4}\\u{17b5}\\u{2800}\\u{3164}\\u{ffa0}", // letters and patterns that are blank
    "\\u{a0}\\u{1680}\\u{2000}-\\u{200a}\\u{2028}\\u{2029}\\u{202f}\\u{205f}\\u{3000}", // blanks other than the space
    "\\u{fff0}-\\u{fffb}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}", // annotation and formatting controls
    "\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{10ffff}\\u{fdd0}-\\u{fdef}\\u{fffe}\\u{ffff}", // private use, noncharacters
  ].join("")}]`,
  "gu",
);

/** The hidden characters of a text, each once, as `U+202E`. */
export function listHiddenCharacters(text: string): string[] {
  const found = new Set(text.match(HIDDEN) ?? []);
  return [...found].map((character) => `U+${hexOf(character).toUpperCase().padStart(4, "0")}`);
}

/** The text with every hidden character as an escape, `\u{202e}`, so that it is safe to display. */
export function spellHiddenCharacters(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${hexOf(character)}}`);
}

export function removeHiddenCharacters(text: string): string {
  return text.replace(HIDDEN, "");
}

const hexOf = (character: string) => (character.codePointAt(0) ?? 0).toString(16);
