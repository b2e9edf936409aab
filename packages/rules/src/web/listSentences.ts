export interface Sentence {
  readonly text: string;
  /** In UTF-16 code units of the text it is from. */
  readonly start: number;
  readonly isQuestion: boolean;
  readonly words: readonly string[];
  /** Numbers of the words that begin a part after a comma, colon, dash or bracket. */
  readonly breaks: ReadonlySet<number>;
}

const ENDED = /(?:(?!\n\n)(?![.!?…]+["'”’)\]]*(?:\s|$))[^。！？])+(?:[.!?…]+["'”’)\]]*|[。！？]+)?/g;

/** Sentences end at `. ! ?` before a space, at their East Asian forms, and where a block of the page does. */
export function listSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const match of text.matchAll(ENDED)) {
    const said = match[0].trim();
    if (said === "") continue;
    sentences.push({
      text: said,
      start: match.index + match[0].indexOf(said),
      isQuestion: /[?？]["'”’)\]]*$/.test(said),
      ...readParts(said),
    });
  }
  return sentences;
}

function readParts(sentence: string): { words: string[]; breaks: ReadonlySet<number> } {
  const words: string[] = [];
  const breaks = new Set<number>();
  // A comma between two digits is part of a number.
  for (const part of sentence.split(/(?<!\d),|,(?!\d)|[;:()[\]、，；：]|\s[-–—]\s|—/)) {
    const own = readWords(part);
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
  `[${UNSPACED}]|\\d+(?:[.:]\\d+)*%?|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}'])+`,
  "gu",
);
const UNSPACED_WORD = new RegExp(`^[${UNSPACED}]`, "u");

export const isUnspaced = (word: string) => UNSPACED_WORD.test(word);

/**
 * Words and numbers without case, style and punctuation. Contractions with "not" are spelled out, thousands separators
 * dropped, and scripts that put no spaces between words are read character by character.
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
    .replaceAll(/(?<=\d),(?=\d{3}\b)/g, "");
  return plain.match(WORD) ?? [];
}
