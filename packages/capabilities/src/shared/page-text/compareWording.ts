import type { Sentence } from "./listSentences.js";

export type Relation = "supports" | "contradicts";

/** Fewer common words do not show that two sentences are about the same thing. */
const MIN_SHARED_WORDS = 3;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const NEGATIONS = setOf("not no never none neither nor nobody nothing nowhere hardly scarcely");
/** Words that deny a wording near them. */
const DENIALS = setOf(
  [
    "false falsely untrue incorrect incorrectly wrong wrongly mistaken mistakenly erroneous erroneously inaccurate",
    "deny denies denied denying denial refute refutes refuted refuting debunk debunks debunked disprove disproves",
    "disproved disproven dispute disputes disputed doubt doubts doubted doubtful unlikely reject rejects rejected",
    "contradict contradicts contradicted myth hoax misconception falsehood fiction nonsense pretend pretends pretended",
  ].join(" "),
);
/** Denials of more than one word, over words joined by spaces. */
const DENYING_PHRASE =
  /^(?:fake|bogus)(?= |$)|\b(?:an? lie|lies? that|lied (?:about|that|when)|contrary to|far from|instead of|rather than|(?:fail|refuse|cease)(?:s|d|ed)? to|unable to)\b/g;
/** A sentence with one of these before a wording does not state the wording. */
const CONDITIONS = setOf("if whether unless suppose supposing assuming imagine would");
/** The same, in the wording's own part of the sentence only. */
const HEDGES = setOf(
  "without might could perhaps maybe possibly allegedly reportedly supposedly purportedly rumoured rumored",
);
/** Words after a wording that withdraw part of it. */
const QUALIFIERS = setOf("if unless except provided");
/** Words that begin an independent part of a sentence. */
const CONJUNCTIONS = setOf(
  "and but so yet because while although though whereas however since as or when where",
);
/** Words in which two sentences may differ and still be about the same thing. */
const FILLERS = setOf(
  "a an the is are was were be been being am do does did has have had will of to in on at by for with and or that this it its as",
);
/** Subjects that are left open: "somebody lives here" and "nobody lives here" are about the same thing. */
const OPEN_SUBJECTS = setOf(
  "somebody someone anybody anyone everybody everyone people something anything everything one",
);

const ADVERBS =
  "(?:(?:also|both|clearly|completely|entirely|just|now|of|course|plainly|quite|simply|totally|to|be|an?) )*";
const DENIED =
  "(?:false|fake|bogus|untrue|wrong|incorrect|mistaken|inaccurate|lie|myth|hoax|misconception|falsehood|fiction|nonsense|denied|refuted|debunked|disproved|disproven|disputed|rejected|unfounded|fabricated|misleading|not (?:true|correct|right|so|the case|accurate))";
const SUBJECT =
  "(?:(?:but|and|yet|though|although) )?(?:(?:an?|the|this|that) (?:claim|statement|assertion|story|rumour|rumor) )?(?:(?:which|that|this|it|these) )?";
const VERB = "(?:is|was|are|were|has been|have been|had been|proved|turned out|remains) ";
/** Text after the wording that denies it: "…, which is wrong", "… is a myth". */
const DENIED_AFTER = new RegExp(`^${SUBJECT}${VERB}${ADVERBS}${DENIED}\\b`);
/** A sentence of its own that denies the one before it. */
const DENIES_LAST = new RegExp(`^(?:(?:but |yet )?(?:this|that|it|which) ${VERB})?${ADVERBS}${DENIED}$`);
const ANNOUNCES_DENIAL = new RegExp(`^(?:(?:this|that|it) ${VERB})?${ADVERBS}${DENIED}$`);

/**
 * Whether a sentence supports or contradicts a claim, by wording. It supports the claim when it holds the claim's words one
 * after the other, with no denial or condition around them, and is no question. It contradicts the claim when it holds
 * these words denied, or the claim's meaningful words in order with another number or with a negation on one side only.
 */
export function compareWording(
  claim: readonly string[],
  sentence: Sentence,
  next: Sentence | undefined,
): Relation | undefined {
  if (claim.length === 0 || sentence.isQuestion) return undefined;
  const { words, breaks } = sentence;
  const at = findRun(words, claim);
  if (at < 0) return isOpposed(claim, words) ? "contradicts" : undefined;
  const denials = countDenials(scopeBefore(words, at, breaks));
  if (denials % 2 === 1) return "contradicts";
  const after = words.slice(at + claim.length);
  const isDenied =
    DENIED_AFTER.test(after.join(" ")) ||
    isNegatedAfter(after, breaks.has(at + claim.length)) ||
    (next !== undefined && DENIES_LAST.test(next.words.join(" ")));
  if (isDenied) return "contradicts";
  const isOpen =
    denials > 0 ||
    words.slice(0, at).some((word) => CONDITIONS.has(word)) ||
    scopeBefore(words, at, breaks).some((word) => HEDGES.has(word)) ||
    after.slice(0, 4).some((word) => QUALIFIERS.has(word));
  return isOpen ? undefined : "supports";
}

function findRun(words: readonly string[], run: readonly string[]): number {
  for (let at = 0; at + run.length <= words.length; at++)
    if (run.every((word, index) => says(words[at + index] ?? "", word))) return at;
  return -1;
}

/** The words before a wording that can deny it: its own part of the sentence, or all where it hangs on a "that". */
function scopeBefore(words: readonly string[], at: number, breaks: ReadonlySet<number>): readonly string[] {
  let from = at;
  while (from > 0 && !breaks.has(from) && !CONJUNCTIONS.has(words[from - 1] ?? "")) from--;
  const own = words.slice(from, at);
  const hangs = own.includes("that") || (own.length <= 1 && from > 0 && isAnnounced(words.slice(0, from)));
  return hangs ? words.slice(0, at) : own;
}

/** "False: …", "It is a lie: …": a part that does nothing but deny what follows. */
const isAnnounced = (words: readonly string[]) => ANNOUNCES_DENIAL.test(words.join(" "));

function countDenials(words: readonly string[]): number {
  const text = words.join(" ").replaceAll(/\bnot only\b/g, "");
  const single = text.split(" ").filter((word) => NEGATIONS.has(word) || DENIALS.has(word)).length;
  return single + (text.match(DENYING_PHRASE)?.length ?? 0);
}

/** "The toll road | is not open": the wording is what a negated sentence is about. */
function isNegatedAfter(after: readonly string[], isNextPart: boolean): boolean {
  if (isNextPart || CONJUNCTIONS.has(after[0] ?? "")) return false;
  const [first = "", second = ""] = after;
  return (
    /^(?:not|never|nowhere)$/.test(first) ||
    (first === "no" && /^(?:longer|more)$/.test(second)) ||
    (FILLERS.has(first) && /^(?:not|never|no)$/.test(second))
  );
}

/** Whether these words repeat the claim's with another number, or with a negation on one side only. */
function isOpposed(claim: readonly string[], words: readonly string[]): boolean {
  const isMeaningful = (word: string) =>
    !FILLERS.has(word) && !isNegating(word) && !OPEN_SUBJECTS.has(word) && !isNumber(word);
  const wanted = claim.filter(isMeaningful).map(stemOf);
  const others = claim.some((word) => isNumber(word) || OPEN_SUBJECTS.has(word) || isNegating(word)) ? 1 : 0;
  if (wanted.length < MIN_SHARED_WORDS - others) return false;
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
  if (
    numbers.length > 0 &&
    claimed.some((number) => !numbers.some((own) => says(own, number) || says(number, own)))
  )
    return true;
  const inside = words.slice(Math.max(first - 3, 0), last + 1);
  const isWithout = inside.includes("without") !== claim.includes("without");
  const isOdd = countDenials(near) % 2 !== countDenials(claim) % 2;
  return isOdd !== isWithout;
}

const isNegating = (word: string) => NEGATIONS.has(word) || DENIALS.has(word) || word === "without";
const isNumber = (word: string) => /^-?[$€£¥]?\p{N}/u.test(word);
/** Whether a word of the page states a word of the claim. A claim without a currency sign leaves the currency open. */
const says = (word: string, claimed: string) =>
  word === claimed || (/^-?[$€£¥]/.test(word) && word.replace(/[$€£¥]/, "") === claimed);
const stemOf = (word: string) => (word.length > 3 ? word.replace(/(?:es|ed|s)$/, "") : word);
