/**
 * Characters that are shown as nothing. Two are kept: the joiners that Persian, the scripts of India and joined emoji
 * are written with; so are the selectors of an emoji's form.
 */
const INVISIBLE = new RegExp(
  `[${[
    "\\u{0}-\\u{8}\\u{b}\\u{e}-\\u{1f}\\u{7f}-\\u{9f}", // control characters but tab, line end and form feed
    "\\u{61c}\\u{200e}\\u{200f}\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}", // bidirectional controls (UAX #9)
    "\\u{ad}\\u{34f}\\u{180b}-\\u{180f}\\u{200b}\\u{2060}-\\u{2065}\\u{206a}-\\u{206f}\\u{feff}", // zero width
    "\\u{fe00}-\\u{fe0d}\\u{e0000}-\\u{e0fff}", // variation selectors, tags
    "\\u{115f}\\u{1160}\\u{17b4}\\u{17b5}\\u{2800}\\u{3164}\\u{ffa0}", // letters and patterns that are blank
    "\\u{fff0}-\\u{fffb}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}", // annotation and formatting controls
  ].join("")}]`,
  "gu",
);
/** Half a pair says nothing and cannot be written in UTF-8. */
const UNPAIRED = /\p{Cs}/gu;

export function removeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, "").replaceAll(UNPAIRED, "\ufffd");
}

/** Fewer than this are a flag or an emoji's form. */
const MIN_SMUGGLED = 8;

/**
 * Text written in characters that no font shows: tags, which mirror ASCII, and variation selectors, one to a byte. A model
 * that is given them reads them.
 */
export function listSmuggled(text: string): string[] {
  const tags = text.match(/[\u{e0020}-\u{e007e}]+/gu) ?? [];
  const selectors = text.match(/[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]+/gu) ?? [];
  return [
    ...tags.map((run) => decode(run, (code) => String.fromCodePoint(code - 0xe0000))),
    ...selectors.map((run) =>
      decode(run, (code) => String.fromCodePoint(code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16)),
    ),
  ].filter((said) => said.length >= MIN_SMUGGLED);
}

const decode = (run: string, letterOf: (code: number) => string) =>
  [...run].map((character) => letterOf(character.codePointAt(0) ?? 0)).join("");
