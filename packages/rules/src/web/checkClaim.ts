import { sha256 } from "@assay/protocol";

/** Where the page decides about a claim, in UTF-16 code units of the page text. */
export interface Passage {
  readonly relation: "supports" | "contradicts";
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly quoteHash: string;
}

export interface ClaimCheck {
  readonly claim: string;
  readonly result: "supported" | "contradicted_wording_absent" | "not_found";
  readonly passages: readonly Passage[];
}

const MAX_PASSAGES = 6;
const MAX_QUOTE_CHARACTERS = 600;
/** Fewer words in common are no sign that two sentences are about one thing. */
const MIN_SHARED_WORDS = 3;

const NEGATIONS = new Set(
  "not no never none neither nor without false untrue incorrect deny denies denied myth".split(" "),
);
/** A sentence that says these before a wording does not say the wording. */
const CONDITIONS = new Set("if whether unless suppose supposing assuming imagine would".split(" "));
/** Words that two sentences may differ in and still be about one thing. */
const FILLERS = new Set(
  "a an the is are was were be been being am do does did has have had will of to in on at by for with and or that this it its as".split(
    " ",
  ),
);

/**
 * Compares wording and nothing else. A sentence supports the claim when it holds the claim's words one after the other,
 * with no negation or condition that the claim lacks, and asks no question. A sentence contradicts it when it holds the
 * claim's meaningful words in order, with another number or with a negation on one side only.
 */
export function checkClaim(claim: string, pageText: string): ClaimCheck {
  const sentences = listSentences(pageText);
  const parts = listSentences(claim);
  const judged = parts.map((part) => judgePart(readWords(part.text), sentences));
  const passages = judged.flatMap(({ supports, contradicts }) => [
    ...supports.map((sentence) => toPassage("supports", sentence, pageText)),
    ...contradicts.map((sentence) => toPassage("contradicts", sentence, pageText)),
  ]);
  return {
    claim,
    result: conclude(judged),
    passages: [
      ...passages.filter(({ relation }) => relation === "supports").slice(0, MAX_PASSAGES / 2),
      ...passages.filter(({ relation }) => relation === "contradicts").slice(0, MAX_PASSAGES / 2),
    ],
  };
}

interface JudgedPart {
  readonly supports: readonly Sentence[];
  readonly contradicts: readonly Sentence[];
}

function conclude(parts: readonly JudgedPart[]): ClaimCheck["result"] {
  if (parts.length > 0 && parts.every(({ supports }) => supports.length > 0)) return "supported";
  const isContradicted = parts.some(
    ({ supports, contradicts }) => supports.length === 0 && contradicts.length > 0,
  );
  return isContradicted ? "contradicted_wording_absent" : "not_found";
}

function judgePart(claim: readonly string[], sentences: readonly Sentence[]): JudgedPart {
  const supports: Sentence[] = [];
  const contradicts: Sentence[] = [];
  for (const sentence of sentences) {
    const verdict = compare(claim, sentence);
    if (verdict === "supports") supports.push(sentence);
    if (verdict === "contradicts") contradicts.push(sentence);
  }
  return { supports, contradicts };
}

function compare(claim: readonly string[], sentence: Sentence): Passage["relation"] | undefined {
  if (claim.length === 0 || sentence.isQuestion) return undefined;
  const words = sentence.words();
  const at = findRun(words, claim);
  if (at >= 0) {
    const around = [...words.slice(0, at), ...words.slice(at + claim.length)];
    if (around.some((word) => NEGATIONS.has(word))) return "contradicts";
    return words.slice(0, at).some((word) => CONDITIONS.has(word)) ? undefined : "supports";
  }
  return isOpposed(claim, words) ? "contradicts" : undefined;
}

function findRun(words: readonly string[], run: readonly string[]): number {
  for (let at = 0; at + run.length <= words.length; at++)
    if (run.every((word, index) => words[at + index] === word)) return at;
  return -1;
}

/** Whether these words say the claim's with another number, or negated where the claim is not. */
function isOpposed(claim: readonly string[], words: readonly string[]): boolean {
  const isMeaningful = (word: string) => !FILLERS.has(word) && !NEGATIONS.has(word) && !isNumber(word);
  const wanted = claim.filter(isMeaningful).map(stemOf);
  if (wanted.length < MIN_SHARED_WORDS - (claim.some(isNumber) ? 1 : 0)) return false;
  let found = 0;
  let first = -1;
  let last = -1;
  words.forEach((word, index) => {
    if (found >= wanted.length || stemOf(word) !== wanted[found]) return;
    if (first < 0) first = index;
    last = index;
    found += 1;
  });
  if (found < wanted.length) return false;
  // A little more than the words themselves, for the number or the "not" beside them.
  const near = words.slice(Math.max(first - 3, 0), last + 4);
  if (near.length > 2 * claim.length + 8) return false;
  const numbers = near.filter(isNumber);
  const claimed = claim.filter(isNumber);
  if (claimed.length > 0 && numbers.length > 0) return claimed.some((number) => !numbers.includes(number));
  const countNegations = (list: readonly string[]) => list.filter((word) => NEGATIONS.has(word)).length;
  return countNegations(near) % 2 !== countNegations(claim) % 2;
}

const isNumber = (word: string) => /^\p{N}/u.test(word);
const stemOf = (word: string) => (word.length > 3 ? word.replace(/(?:es|ed|s)$/, "") : word);

export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly isQuestion: boolean;
  words(): readonly string[];
}

/** Sentences end at `. ! ?` before a space, at their East Asian forms, and where a block of the page does. */
export function listSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const match of text.matchAll(
    /(?:(?!\n\n)(?![.!?…]+["'”’)\]]*(?:\s|$))[^。！？])+(?:[.!?…]+["'”’)\]]*|[。！？]+)?/g,
  )) {
    const said = match[0].trim();
    if (said === "") continue;
    const start = match.index + match[0].indexOf(said);
    let words: readonly string[] | undefined;
    sentences.push({
      text: said,
      start,
      isQuestion: /[?？]["'”’)\]]*$/.test(said),
      words: () => (words ??= readWords(said)),
    });
  }
  return sentences;
}

/**
 * Words and numbers without case, style and punctuation. Contractions with "not" are spelled out, thousands separators
 * dropped, and scripts that put no spaces between words are read character by character.
 */
export function readWords(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\u2018\u2019\u02bc]/g, "'")
    .replaceAll(/\bwon't\b/g, "will not")
    .replaceAll(/\bcan't\b|\bcannot\b/g, "can not")
    .replaceAll(/n't\b/g, " not")
    .replaceAll(/(?<=\d),(?=\d{3}\b)/g, "");
  return (
    plain.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|\d+(?:[.:]\d+)*%?|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}'])+/gu,
    ) ?? []
  );
}

function toPassage(relation: Passage["relation"], { text, start }: Sentence, pageText: string): Passage {
  const end = start + Math.min(text.length, MAX_QUOTE_CHARACTERS);
  const quote = pageText.slice(start, end);
  return { relation, start, end, quote, quoteHash: hashText(quote) };
}

/** `sha256:` over the UTF-8 bytes of a text. */
export function hashText(text: string): string {
  return `sha256:${sha256(new TextEncoder().encode(text)).slice(2)}`;
}
