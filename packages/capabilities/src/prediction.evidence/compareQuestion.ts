/** How a text that is about some question relates to the question that was asked. */
export type QuestionMatch = "heads" | "within" | "absent";

/**
 * Compares wording alone: the same words, numbers and signs in the same order, and all of them. Only case and the marks
 * between sentences are ignored. A part of a longer question is another question, and a question that a text only mentions
 * need not be what the text is about.
 */
export function compareQuestion(
  question: string,
  { headings, text }: { readonly headings: readonly string[]; readonly text: string },
): QuestionMatch {
  const words = listWords(question);
  if (!words.some((word) => /[\p{L}\p{N}]/u.test(word))) return "absent";
  const asked = words.join(" ");
  if (headings.some((heading) => listWords(heading).join(" ") === asked)) return "heads";
  return isClause(words, text) ? "within" : "absent";
}

const listWords = (text: string): string[] => readText(text).words;

/** From the beginning of a line or clause to the end of one. */
function isClause(asked: readonly string[], text: string): boolean {
  const { words, begins } = readText(text);
  for (let at = 0; at + asked.length <= words.length; at++) {
    const end = at + asked.length;
    if (!begins[at] || (end < words.length && !begins[end])) continue;
    if (asked.every((word, index) => words[at + index] === word)) return true;
  }
  return false;
}

/** Longer than any page text that is read, unless its characters were chosen to expand in normalization. */
const MAX_CHARACTERS = 400_000;

const DASHES = "\\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d";
/**
 * Marks that change no question, and only where they cannot belong to a number: the point of "3.5", the brackets of "(5)"
 * and the prime of 6' do. A dash may be a minus, unless it joins two words; "!" may say not.
 */
const IGNORED_MARKS = [
  "[.,;:?\u00bf\u00a1\u2026\u2022\u3001\u3002\uff0c\uff1b\uff1a\uff1f\uff01](?!\\p{N})",
  "!(?!\\s*=|[\\p{L}\\p{N}])",
  "(?<!\\p{N})[\"'\u201c\u201d\u2018\u2019\u201e\u201a\u00ab\u00bb\u2039\u203a\u300c-\u300f()[\\]{}\uff08\uff09](?!\\p{N})",
  `(?<=[\\p{L}\\p{M}])[${DASHES}](?=\\p{L})`,
].join("|");
const PARTS = new RegExp(
  `(?<word>[\\p{L}\\p{M}\\p{Nd}]+)|(?<blank>\\s+)|(?<mark>${IGNORED_MARKS})|(?<sign>.)`,
  "gsu",
);
const DASH = new RegExp(`^[${DASHES}]$`, "u");

/**
 * Words, numbers as they are written, and every other sign as a word of its own; and which of them follow a mark or a new
 * line. Normalized to NFC and not to NFKC, which would turn "10²" into "102".
 */
function readText(text: string): { words: string[]; begins: boolean[] } {
  const words: string[] = [];
  const begins: boolean[] = [];
  let isBroken = true;
  for (const { groups } of text.normalize("NFC").slice(0, MAX_CHARACTERS).matchAll(PARTS)) {
    const { word, blank, sign } = groups as Partial<Record<"word" | "blank" | "mark" | "sign", string>>;
    const read = word === undefined ? sign?.replace(DASH, "-") : foldCase(word);
    if (read === undefined) {
      isBroken ||= blank === undefined || /[^\p{Zs}\t]/u.test(blank);
      continue;
    }
    words.push(read);
    begins.push(isBroken);
    isBroken = false;
  }
  return { words, begins };
}

/** A number's unit is kept as it is written: 5M is not 5m. */
const foldCase = (word: string): string => (/\p{Nd}/u.test(word) ? word : word.toLowerCase());

/** A page's title is often followed by the name of its site. */
export const splitTitle = (title: string): string[] => [title, ...title.split(/ [|–—·-] /)];

/** The title in a text of UMA's form, `q: title: …, description: …`; otherwise its first line. */
export function findTextTitle(text: string): string {
  const [start = ""] = text.replace(/^\s*(?:q:\s*)?(?:title:\s*)?/i, "").split(/,\s*description:|\n/i, 1);
  return start;
}
