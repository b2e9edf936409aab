import { canonicalWords } from "./canonicalWords.js";
import { writeDates } from "./writeDates.js";

export interface Sentence {
  readonly text: string;
  /** In UTF-16 code units of the text it is from. */
  readonly start: number;
  readonly isQuestion: boolean;
  readonly words: readonly string[];
  /** Numbers of the words that begin a part after a comma, colon, dash or bracket. */
  readonly breaks: ReadonlySet<number>;
}

/** Runs of punctuation are bounded, so that a page of nothing else is read only once. */
const ENDED =
  /(?:(?!\n\n)(?![.!?…]{1,20}["'”’)\]]{0,20}(?:\s|$))[^。！？])+(?:[.!?…]+["'”’)\]]*|[。！？]+)?/g;

/** Sentences end at `. ! ?` before a space, at their East Asian forms, and where a block of the page does. */
export function listSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const match of blankStruck(text).matchAll(ENDED)) {
    const sentence = match[0].trim();
    if (sentence === "") continue;
    sentences.push({
      text: sentence,
      start: match.index + match[0].indexOf(sentence),
      isQuestion: /[?？]["'”’)\]]{0,9}$/.test(sentence.slice(-10)),
      ...readParts(sentence),
    });
  }
  return sentences;
}

/** Replaces words that are struck out, `~~so~~`, by spaces, so that every other word keeps its place. */
const blankStruck = (text: string) =>
  text.replaceAll(/~~(?!~)(?:(?!~~|\n\n)[\s\S]){1,5000}~~/g, (struck) => " ".repeat(struck.length));

function readParts(sentence: string): { words: string[]; breaks: ReadonlySet<number> } {
  const words: string[] = [];
  const breaks = new Set<number>();
  // A comma between two digits is part of a number.
  for (const part of writeDates(sentence).split(/(?<!\d),|,(?!\d)|[;:()[\]、，；：]|\s[-–—]\s|—/)) {
    const own = canonicalWords(readWords(part));
    if (own.length === 0) continue;
    breaks.add(words.length);
    words.push(...own);
  }
  return { words, breaks };
}

/** Scripts that put no spaces between words. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const WORD = new RegExp(
  `[${UNSPACED}]|(?<![\\d/.])\\d/\\d(?![\\d/])|(?:(?<![\\p{L}\\p{N})\\]])-(?=[$€£¥]?\\d))?[$€£¥]?\\d+(?:[.:]\\d+)*%?|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}'])+`,
  "gu",
);
const UNSPACED_WORD = new RegExp(`^[${UNSPACED}]`, "u");

export const isUnspaced = (word: string) => UNSPACED_WORD.test(word);

/**
 * Words and numbers without case, style and punctuation; a number keeps its sign and currency sign. Contractions with
 * "not" are spelled out, thousands separators are dropped, and scripts without spaces are read character by character.
 */
export function readWords(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    // Soft hyphens and joiners are inside words and no part of their spelling.
    .replaceAll(/\u00ad|\u200c|\u200d/g, "")
    .replaceAll(/[\u2018\u2019\u02bc]/g, "'")
    .replaceAll(/\bwon't\b/g, "will not")
    .replaceAll(/\bcan't\b|\bcannot\b/g, "can not")
    .replaceAll(/n't\b/g, " not")
    .replaceAll("\u2212", "-")
    .replaceAll("\u2044", "/")
    .replaceAll(/(?<=\d),(?=\d{3}\b)/g, "")
    // Two points or more can only part thousands; one comma before one or two digits begins a fraction.
    .replaceAll(/\b\d{1,3}(?:\.\d{3}){2,}\b/g, (number) => number.replaceAll(".", ""))
    .replaceAll(/(?<=\b\d+),(?=\d{1,2}\b(?!,))/g, ".");
  return (plain.match(WORD) ?? []).map(shortenAmount);
}

/** "0.30%" and "0.3%", "$5.00" and "$5" are one amount; "1.10" may be a version. */
function shortenAmount(word: string): string {
  const [, sign, whole, parts, percent] = /^(-?[$€£¥]?)(\d+)\.(\d+)(%?)$/.exec(word) ?? [];
  if (sign === undefined || parts === undefined || (!/[$€£¥]/.test(sign) && percent === "")) return word;
  const rest = parts.replace(/0+$/, "");
  return `${sign}${whole}${rest === "" ? "" : `.${rest}`}${percent}`;
}
