import { canonicalWords } from "./canonicalWords.js";
import { leaveOutKinds } from "./nameTypes.js";
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
  for (const match of markAbbreviations(blankStruck(text)).matchAll(ENDED)) {
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

/** A point that ends no sentence, of the same length; NFKC writes it as a point again. */
const ABBREVIATING_POINT = "\u2024";
/** "The bank failed" after "according to J. Smith" is what he says: a sentence must not begin at his name. */
const ABBREVIATIONS = [
  /(?<![\p{L}\p{N}])(?:Dr|Mr|Mrs|Ms|Prof|St|Mt|Gen|Col|Capt|Lt|Sgt|Rev|Gov|Sen|Rep|vs|cf|e\.g|i\.e)\.(?=\s)/gu,
  /(?<![\p{L}\p{N}])(?:No|Nos|Fig|Vol|pp?|ca|c|approx|Jr|Sr|Bros|Inc|Ltd|Co|Corp|etc|al|a\.m|p\.m)\.(?=\s+[\p{Ll}\d])/gu,
  /(?<![\p{L}\p{N}])(?:\p{Lu}\.)*\p{Lu}\.(?=\s+(?:\p{Ll}|(?!(?:The|A|An|It|He|She|They|We|You|I|In|On|At|This|That|These|Those|There|But|And|If|For)\b)\p{Lu}))/gu,
];
const markAbbreviations = (text: string) =>
  ABBREVIATIONS.reduce(
    (marked, pattern) => marked.replaceAll(pattern, (found) => found.replaceAll(".", ABBREVIATING_POINT)),
    text,
  );

/** Replaces words that are struck out, `~~so~~`, by spaces, so that every other word keeps its place. */
const blankStruck = (text: string) =>
  text.replaceAll(/~~(?!~)(?:(?!~~|\n\n)[\s\S]){1,5000}~~/g, (struck) => " ".repeat(struck.length));

/** Numbers of notes behind a word, and addresses in angle brackets, which are no part of what it says: "35% faster¹" and "in 1990[12]". */
const NOTES =
  /\s<[^<>\s]{1,200}(?:@|:\/\/)[^<>\s]{1,200}>|(?<=\p{L}{4}|[.,;:%)"”]|\d{4})[¹²³⁰-⁹]+|[¹²³⁰-⁹]+(?=\p{Lu})|(?<=\p{L}{3}|[.,;:%)"”]|\d{4})\[\d{1,3}\]/gu;

/** The words of a sentence, and where its parts begin. */
export function readParts(noted: string): { words: string[]; breaks: ReadonlySet<number> } {
  const sentence = leaveOutKinds(noted.replaceAll(NOTES, ""));
  const words: string[] = [];
  const breaks = new Set<number>();
  const isTable = sentence.includes("\t");
  // A comma between two digits is part of a number.
  for (const part of writeDates(sentence).split(isTable ? CELL_BREAK : BREAK)) {
    const own = canonicalWords(readWords(part));
    if (own.length === 0 || ASIDE.test(own.join(" "))) continue;
    breaks.add(words.length);
    words.push(...own);
  }
  return { words, breaks };
}

const BREAK = /(?<!\d),|,(?!\d)|(?<!\d):|:(?!\d)|[;()[\]、，；：]|\s[-–—]\s|—|(?<=\p{L})--(?=\p{L})/u;
const CELL_BREAK = new RegExp(`${BREAK.source}|[\\t\\n]`, "u");
/** Parts that change nothing about what the others say. */
const ASIDE =
  /^(?:however|moreover|furthermore|indeed|nevertheless|nonetheless|meanwhile|of course|in fact|in addition|all t[o]ld|here|note|remark|tip)$/;

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
  let plain = text
    .normalize("NFKC")
    .toLowerCase()
    // Soft hyphens and joiners are inside words and no part of their spelling.
    .replaceAll(/\u00ad|\u200c|\u200d/g, "")
    .replaceAll(/[\u2018\u2019\u02bc]/g, "'")
    .replaceAll(/\bkm\/h\b|\bkmh\b|\bkph\b/g, "kilometres a hour")
    .replaceAll(/\bmph\b/g, "miles a hour")
    .replaceAll(/\b(twenty|thirty)-(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b/g, "$1$2");
  if (plain.includes("'") || plain.includes("cannot")) plain = spellOut(plain);
  // Two languages, and neither is C.
  if (/[+#&]/.test(plain))
    plain = plain
      .replaceAll(/(?<![\p{L}\p{N}])([a-z])\+\+/gu, "$1plusplus")
      .replaceAll(/(?<![\p{L}\p{N}])([a-z])#/gu, "$1sharp")
      .replaceAll(/(?<=\s)&(?=\s)/g, "and");
  if (/\p{N}|[\u2212\u2044]/u.test(plain)) plain = writeNumbers(plain);
  return (plain.match(WORD) ?? []).map(shortenAmount);
}

const spellOut = (text: string) =>
  text
    .replaceAll(/(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu, " ")
    .replaceAll(/\bwon't\b/g, "will not")
    .replaceAll(/\bcan't\b|\bcannot\b/g, "can not")
    .replaceAll(/n't\b/g, " not")
    .replaceAll(/\b(it|that|there|he|she|what|who|here)'s (?=been |gone |had |become )/g, "$1 has ")
    .replaceAll(/\b(it|that|there|he|she|what|who|here)'s\b/g, "$1 is")
    .replaceAll(
      /\b(we|you|they|i)'(re|ll|ve|m)\b/g,
      (_, who: string, ending: string) => `${who} ${SPELLED[ending] ?? ""}`,
    );

const writeNumbers = (text: string) =>
  text
    .replaceAll(/(?<![\p{L}\p{N}.])(?!0x)(\d+)\s?[x\u00d7]\s?(?=\d)/gu, "$1 by ")
    .replaceAll(/[~≈∼]\s?(?=[$€£¥]?\d)/g, "about ")
    .replaceAll(/(?:≥|>=)\s?(?=[$€£¥]?\d)/g, "at least ")
    .replaceAll(/(?:≤|<=)\s?(?=[$€£¥]?\d)/g, "at most ")
    .replaceAll(/(?<![-=>])>\s?(?=[$€£¥]?\d)/g, "more than ")
    .replaceAll(/(?<!<)<\s?(?=[$€£¥]?\d)/g, "less than ")
    .replaceAll(/(?<=\d)\+(?=\s|$)/g, " or more")
    .replaceAll(/(?<=\d)\s%/g, "%")
    .replaceAll(/([$€£¥])\s(?=\d)/g, "$1")
    .replaceAll(/(?<![\d.,$€£¥])(\d[\d.,]*)\s?([$€£¥])(?!\s?\d)/g, "$2$1")
    .replaceAll(/°\s?c\b/g, " degrees celsius")
    .replaceAll(/°\s?f\b/g, " degrees fahrenheit")
    .replaceAll(/\b(\d{1,2})(?:st|nd|rd|th)\b/g, (all, digits: string) => ORDINALS[Number(digits) - 1] ?? all)
    .replaceAll(/\b(\d{1,2})(?::(\d\d))? ?([ap])\.?m\b\.?/g, writeTime)
    .replaceAll("\u2212", "-")
    .replaceAll("\u2044", "/")
    .replaceAll(/(?<=\d),(?=\d{3}\b)/g, "")
    // Two points or more can only part thousands; one comma before one or two digits begins a fraction.
    .replaceAll(/\b\d{1,3}(?:\.\d{3}){2,}\b/g, (number) => number.replaceAll(".", ""))
    .replaceAll(/(?<=\b\d+),(?=\d{1,2}\b(?!,))/g, ".");

const SPELLED: Readonly<Record<string, string>> = { re: "are", ll: "will", ve: "have", m: "am" };

const FIRST_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth";
const ORDINALS: readonly string[] = [
  `${FIRST_ORDINALS} tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`,
  FIRST_ORDINALS.replaceAll(/\w+/g, "twenty$&"),
  "thirtieth",
].flatMap((line) => line.split(" "));

/** "5 pm" as 17:00. */
function writeTime(all: string, hour: string, minute: string | undefined, half: string): string {
  const hours = Number(hour);
  if (hours < 1 || hours > 12) return all;
  return `${(hours % 12) + (half === "p" ? 12 : 0)}:${minute ?? "00"}`;
}

/** "0.30%" and "0.3%", "$5.00" and "$5" are one amount; "1.10" may be a version. */
function shortenAmount(word: string): string {
  const [, sign, whole, parts, percent] = /^(-?[$€£¥]?)(\d+)\.(\d+)(%?)$/.exec(word) ?? [];
  if (sign === undefined || parts === undefined || (!/[$€£¥]/.test(sign) && percent === "")) return word;
  const rest = parts.replace(/0+$/, "");
  return `${sign}${whole}${rest === "" ? "" : `.${rest}`}${percent}`;
}
