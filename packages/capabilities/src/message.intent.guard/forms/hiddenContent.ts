import { listHiddenCharacters } from "@assay/protocol";

/** Pictures that are written as several characters (UTS #51): joined, coloured, as keys and as flags. */
const EMOJI =
  /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f}|[0-9#*]\ufe0f?\u20e3|\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?(?:\u200d\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?)*/gu;
/** Ends of lines, tabs, and blanks that people type in other languages. */
const PLAIN_BLANKS = /\r\n|[\n\t\u00a0\u202f\u3000]/g;
/** What is meant to be scrolled past: twenty empty lines, or two hundred blanks. */
const LONG_GAP = /(?:[^\S\n]*\n){20}|[^\S\n]{200}/;
/** Marks heaped on one letter cover the letters around it. */
const HEAPED_MARKS = /\p{M}{4}/u;

/** Whether a text holds characters that people do not see, or blanks that push the rest out of sight. */
export function hidesContent(text: string): boolean {
  const bare = text.replace(EMOJI, "");
  // A carriage return by itself writes over the line before it.
  return (
    listHiddenCharacters(bare.replace(PLAIN_BLANKS, "")).length > 0 ||
    LONG_GAP.test(text) ||
    HEAPED_MARKS.test(bare)
  );
}
