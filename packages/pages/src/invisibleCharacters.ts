/**
 * Runs of characters that are not displayed. Those that a writing system needs (see `isWriting`) are kept, and all others
 * are removed.
 */
const INVISIBLE = new RegExp(
  `[${[
    "\\u{0}-\\u{8}\\u{b}\\u{e}-\\u{1f}\\u{7f}-\\u{9f}", // control characters but tab, line end and form feed
    "\\u{61c}\\u{200e}\\u{200f}\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}", // bidirectional controls (UAX #9)
    "\\u{ad}\\u{34f}\\u{180b}-\\u{180f}\\u{200b}-\\u{200d}\\u{2060}-\\u{2065}\\u{206a}-\\u{206f}\\u{feff}", // zero width
    "\\u{fe00}-\\u{fe0f}\\u{e0000}-\\u{e0fff}", // variation selectors, tags
    "\\u{115f}\\u{1160}\\u{17b4}\\u{17b5}\\u{2800}\\u{3164}\\u{ffa0}", // letters and patterns that are blank
    "\\u{fff0}-\\u{fffb}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}", // annotation and formatting controls
  ].join("")}]+`,
  "gu",
);
/** Half of a surrogate pair has no meaning and cannot be encoded in UTF-8. */
const UNPAIRED = /\p{Cs}/gu;

/** Scripts whose letters join, so that a joiner or non-joiner beside a letter changes its form. */
const JOINING =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Javanese}\p{Script=Balinese}]$/u;
const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const FLAG = "\u{1f3f4}";

/** Whether a run between these two characters is part of ordinary writing; either may be empty. */
function isWriting(run: string, before: string, after: string): boolean {
  // A soft hyphen, where a word may be broken.
  if (run === "\u00ad") return /^[\p{L}\p{M}]$/u.test(before) && /^\p{L}$/u.test(after);
  if (/^\ufe0f?\u200d$/.test(run) && PICTURE.test(before) && PICTURE.test(after)) return true;
  if (run === "\u200c" || run === "\u200d") return JOINING.test(before) || JOINING.test(after);
  // Variation selectors of an emoji or sign, of an ideograph, of a Mongolian letter.
  if (run === "\ufe0e" || run === "\ufe0f") return /^[\p{Emoji}\p{S}]$/u.test(before);
  if (/^[\ufe00-\ufe02\u{e0100}-\u{e010f}]$/u.test(run)) return /^[\p{Script=Han}\p{Sm}]$/u.test(before);
  if (/^[\u180b-\u180f]$/.test(run)) return /^\p{Script=Mongolian}$/u.test(before);
  // The flag of a country's subdivision: its code in tag characters, ended by the cancel tag.
  return before === FLAG && /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u.test(run);
}

/** The characters before and after a range; a surrogate pair counts as one. */
const neighbours = (text: string, from: number, to: number) => [
  /.$/su.exec(text.slice(Math.max(from - 2, 0), from))?.[0] ?? "",
  /^./su.exec(text.slice(to, to + 2))?.[0] ?? "",
];

/** Most texts have no other characters. */
const PRINTABLE = /^[\t\n\f\r -~]*$/;

export function removeInvisible(text: string): string {
  if (PRINTABLE.test(text)) return text;
  return text
    .replaceAll(INVISIBLE, (run: string, at: number) => {
      const [before = "", after = ""] = neighbours(text, at, at + run.length);
      return isWriting(run, before, after) ? run : "";
    })
    .replaceAll(UNPAIRED, "\ufffd");
}

/** The runs that `removeInvisible` removes. */
export function listInvisibleRuns(text: string): string[] {
  return [...text.matchAll(INVISIBLE)].flatMap(({ 0: run, index }) => {
    const [before = "", after = ""] = neighbours(text, index, index + run.length);
    return isWriting(run, before, after) ? [] : [run];
  });
}
