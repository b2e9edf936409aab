import { DENIALS, NEGATIONS } from "./denials.js";
import { readParts, type Sentence } from "./listSentences.js";
import { isLimiting } from "./openWords.js";
import { setOf } from "./setOf.js";

/**
 * Words that say how, how much or since when. A sentence without them is less exact and as true, unless it denies something. Words
 * that say how often, how surely or in which respect only ("usually", "probably", "partly", "originally") are none of them.
 */
const EXACT = setOf(
  "already still currently presently now also just simply really actually truly indeed even itself themselves himself herself",
  "very highly extremely quite soon recently eventually finally subsequently therefore thus hence",
  "carefully quickly rapidly slowly easily heavily independently thoroughly fully completely entirely totally wholly widely",
  "extensively intensively greatly strongly significantly substantially considerably dramatically steadily gradually",
  "successfully directly immediately explicitly automatically deliberately specifically happily proudly officially jointly",
  "above below deeply firmly closely freshly newly",
);

/**
 * A sentence as it stands, with compound words as the claim divides them, and without what makes it only more exact: text in
 * brackets, and words of manner and degree that the claim has not.
 */
export function listRelaxed(claim: readonly string[], sentence: Sentence): Sentence[] {
  const joined = joinCompounds(claim, leaveOutBoth(claim, openBrackets(sentence)));
  const bare = leaveOutBrackets(joined);
  const plain = bare === undefined ? [joined] : [joined, joinCompounds(claim, bare)];
  if ([...claim, ...joined.words].some((word) => NEGATIONS.has(word) || DENIALS.has(word)))
    return [...plain, ...plain.flatMap((one) => leaveOutAlternative(claim, one))];
  return [...plain, ...plain.flatMap((one) => leaveOutManner(claim, one) ?? [])];
}

/** "Both eggs and milk" is "eggs and milk", and "either eggs or milk" "eggs or milk". */
function leaveOutBoth(claim: readonly string[], sentence: Sentence): Sentence {
  const { words } = sentence;
  const at = words.findIndex(
    (word, index) =>
      (word === "both" && words[index + 1] !== "of" && words.indexOf("and", index) > 0) ||
      (word === "either" && claim.includes("or") && words.indexOf("or", index) > 0),
  );
  return at >= 0 && !claim.includes(words[at] ?? "") ? leaveOut(new Set([at]), sentence) : sentence;
}

const MAX_COMPOUNDS = 8;

/** "Multi-purpose" is "multipurpose", and a "file name" a "filename". */
function joinCompounds(claim: readonly string[], sentence: Sentence, left = MAX_COMPOUNDS): Sentence {
  // A claim with both spellings would have them exchanged for ever.
  if (left === 0) return sentence;
  const { words, breaks } = sentence;
  const at = words.findIndex(
    (word, index) =>
      words[index + 1] !== undefined &&
      !breaks.has(index + 1) &&
      isWord(word + words[index + 1]) &&
      claim.includes(word + words[index + 1]),
  );
  if (at >= 0)
    return joinCompounds(
      claim,
      {
        ...sentence,
        words: words.toSpliced(at, 2, `${words[at]}${words[at + 1]}`),
        breaks: new Set([...breaks].map((start) => (start > at ? start - 1 : start))),
      },
      left - 1,
    );
  const whole = words.findIndex((word) => isWord(word) && isDividedIn(claim, word));
  if (whole < 0) return sentence;
  const [one = "", other = ""] = dividedBy(claim, words[whole] ?? "") ?? [];
  return joinCompounds(
    claim,
    {
      ...sentence,
      words: words.toSpliced(whole, 1, one, other),
      breaks: new Set([...breaks].map((start) => (start > whole ? start + 1 : start))),
    },
    left - 1,
  );
}

const isWord = (word: string) => /^[a-z]{5,}$/.test(word);
const isDividedIn = (claim: readonly string[], word: string) => dividedBy(claim, word) !== undefined;

function dividedBy(claim: readonly string[], word: string): readonly [string, string] | undefined {
  const at = claim.findIndex(
    (one, index) => one.length > 1 && (claim[index + 1]?.length ?? 0) > 1 && one + claim[index + 1] === word,
  );
  return at < 0 ? undefined : [claim[at] ?? "", claim[at + 1] ?? ""];
}

const MAX_ALTERNATIVE = 3;

/** "Nobody sells eggs or milk" says that nobody sells milk: what is denied of both is denied of each. */
function leaveOutAlternative(claim: readonly string[], sentence: Sentence): Sentence[] {
  const { words, breaks } = sentence;
  const at = words.indexOf("or");
  const isDenied = [claim, words.slice(0, Math.max(at, 0))].every((list) =>
    list.some((word) => NEGATIONS.has(word)),
  );
  if (!isDenied || claim.includes("or") || breaks.has(at) || breaks.has(at + 1)) return [];
  return Array.from({ length: MAX_ALTERNATIVE }, (_, index) => index + 1).flatMap((length) =>
    [at - length, at].map((start) => {
      const left = Array.from({ length: length + 1 }, (_, index) => start + index);
      return leaveOut(new Set(left), sentence);
    }),
  );
}

const BRACKETS = /\s?\(([^()]{1,300})\)|\s?\[([^[\]]{1,300})\]/g;

export function leaveOutBrackets(sentence: Sentence): Sentence | undefined {
  const text = sentence.text.replaceAll(BRACKETS, (all, round?: string, square?: string) =>
    limits(round ?? square ?? "") ? all : "",
  );
  return text === sentence.text ? undefined : { ...sentence, ...readParts(text) };
}

/** What limits stands in brackets or not: "free (for members)" is "free for members". */
function openBrackets(sentence: Sentence): Sentence {
  const text = sentence.text.replaceAll(BRACKETS, (all, round?: string, square?: string) =>
    limits(round ?? square ?? "") ? ` ${round ?? square}` : all,
  );
  return text === sentence.text ? sentence : { ...sentence, ...readParts(text) };
}

/** "(not on Sundays)" and "(if any)" limit what stands before them. */
const limits = (inside: string) =>
  readParts(inside).words.some(
    (word) =>
      isLimiting(word) ||
      /^(?:some|most|few|sometimes|usually|often|about|roughly|approximately|excluding|without|or|on|in|at|from|during|for|as)$/.test(
        word,
      ),
  );

function leaveOutManner(claim: readonly string[], sentence: Sentence): Sentence | undefined {
  const left = new Set(
    sentence.words.flatMap((word, index) => (EXACT.has(word) && !claim.includes(word) ? [index] : [])),
  );
  return left.size === 0 ? undefined : leaveOut(left, sentence);
}

/** The sentence without the words of these numbers. */
export function leaveOut(left: ReadonlySet<number>, sentence: Sentence): Sentence {
  const shift = (at: number) => at - [...left].filter((index) => index < at).length;
  return {
    ...sentence,
    words: sentence.words.filter((_, index) => !left.has(index)),
    breaks: new Set([...sentence.breaks].map(shift)),
  };
}
