import { countDenials, isNegating } from "./denials.js";
import { findRun, type Span } from "./findSpan.js";
import { isEmbedded } from "./isEmbedded.js";
import { readWords, type Sentence } from "./listSentences.js";
import {
  ANNOUNCES_DENIAL,
  CONDITIONS,
  DENIED_AFTER,
  DENIES_LAST,
  HEDGES,
  IN_A_STORY,
  QUALIFIERS,
  RESTRICTED,
  RESTRICTED_AFTER,
  SAID_AFTER,
  SAYS,
} from "./openWords.js";
import { CONJUNCTIONS, isContent, isNumber, PAST } from "./wordKinds.js";

/**
 * What a sentence does with a claim's wording: it says it, denies it or says another value, makes it uncertain or depend on
 * something, or lets somebody else say it.
 */
export type Relation = "supports" | "contradicts" | "hedges" | "attributes";

/** What the words around a wording make of it. */
export function judgeAround({ from, to }: Span, sentence: Sentence, next: Sentence | undefined): Relation {
  const { words, breaks } = sentence;
  const scope = scopeBefore(words, from, breaks);
  const denials = countDenials(scope);
  if (denials % 2 === 1) return "contradicts";
  const after = words.slice(to);
  const said = after.join(" ");
  const isDenied =
    DENIED_AFTER.test(said) ||
    isNegatedAfter(after, breaks.has(to)) ||
    (next !== undefined && DENIES_LAST.test(next.words.join(" ")));
  if (isDenied) return "contradicts";
  const isOpen =
    denials > 0 ||
    words.slice(0, from).some((word) => CONDITIONS.has(word)) ||
    (from > 0 && /^(?:should|had|were)$/.test(words[0] ?? "")) ||
    scope.some((word) => HEDGES.has(word)) ||
    (!(breaks.has(to) && ADDING.test(said)) &&
      after
        .slice(0, 4)
        .some(
          (word, at) =>
            QUALIFIERS.has(word) &&
            !(
              word === "only" &&
              (after[at - 1] === "not" || (breaks.has(to + at) && beginsAnother(after.slice(at + 1))))
            ),
        )) ||
    isAlternative(words, { from, to }) ||
    isInverted(words, from, breaks) ||
    RESTRICTED.test(said) ||
    isLimitedBefore(words.slice(from, to), words.slice(0, from), scope) ||
    (!breaks.has(to) && isLimitedAfter(words.slice(from, to), after)) ||
    after.includes("unless");
  if (isOpen) return "hedges";
  const isSaid =
    IN_A_STORY.test(words.join(" ")) ||
    scope.some((word) => SAYS.test(word)) ||
    isEmbedded(words.slice(0, from)) ||
    (!breaks.has(to) && isMentioned(words.slice(from, to), after)) ||
    (breaks.has(to) && SAID_AFTER.test(said)) ||
    isQuoted(sentence, words.slice(from, to));
  return isSaid ? "attributes" : "supports";
}

/** What stands behind "so that" and "returning" is about itself: "opens the gate, returning NULL if it is shut". */
const ADDING =
  /^(?:so that|(?!(?:excluding|depending|providing|assuming|supposing|pending|permitting|barring|leaving|missing|failing|being|during|according)\b)\w{2,}ing) /;

/** "…, only | real errors will be shown": what stands behind it is a statement of its own. */
const beginsAnother = (words: readonly string[]) =>
  isContent(words[0] ?? "") &&
  !/^(?:if|when|where|while|during|after|before|until|as|within|under|per|between|through|without)$/.test(
    words[0] ?? "",
  ) &&
  words.slice(1, 4).some((word) => /^(?:is|are|was|were|will|can|may|must|has|have)$/.test(word));

/** "Eggs or | milk is sold", "milk is sold | or given away", "5 to | 9 people came". */
function isAlternative(words: readonly string[], { from, to }: Span): boolean {
  const isRangeBefore = isNumber(words[from] ?? "") && /^(?:to|and)$/.test(words[from - 1] ?? "");
  const isRangeAfter = isNumber(words[to - 1] ?? "") && /^to$/.test(words[to] ?? "");
  return (
    /^(?:or|either)$/.test(words[from - 1] ?? "") ||
    (words[to] === "or" && !words.slice(from, to).some(isNegating)) ||
    (isNumber(words[from] ?? "") && isNumber(words[from - 1] ?? "")) ||
    (isRangeBefore && isNumber(words[from - 2] ?? "")) ||
    (isRangeAfter && isNumber(words[to + 1] ?? ""))
  );
}

/** "Bats are blind | is a common belief". */
const isMentioned = (wording: readonly string[], after: readonly string[]) =>
  wording.some((word) => /^(?:is|are|was|were|has|have|had|will|can)$/.test(word)) &&
  /^(?:is|was|remains|seems|sounds)$/.test(after[0] ?? "");

/** "Had | the bank failed": a condition or a question. */
const isInverted = (words: readonly string[], from: number, breaks: ReadonlySet<number>) =>
  breaks.has(from - 1) &&
  /^(?:had|were|was|did|does|do|is|are|has|have|can|could|will)$/.test(words[from - 1] ?? "");

/** Whether what follows a wording, without a comma, says where, when or for whom only it is so. */
export const isLimitedAfter = (wording: readonly string[], after: readonly string[]) =>
  RESTRICTED_AFTER.test(after.join(" ")) ||
  isStateOf(wording, after) ||
  isLeaveFor(wording, after) ||
  (isGeneral(wording) && isNumber(wording.at(-1) ?? "") && /^(?:for|of|plus|per)$/.test(after[0] ?? "")) ||
  (isGeneral(wording) &&
    /^(?:at|on|during|under|within|while|when|as|per|only|until|till|before|after)$/.test(after[0] ?? "")) ||
  (after[0] === "and" &&
    wording.some((word) => /^(?:mix|mixture|blend|combination|pair|sum|between|both|either)$/.test(word)));

/** Whether what stands before it does: "few", "about", or for what is so in general "in winter" and "when". */
function isLimitedBefore(
  wording: readonly string[],
  before: readonly string[],
  own: readonly string[],
): boolean {
  const [nearest = "", near = ""] = [...own].reverse();
  if (QUANTITIES.test(nearest === "the" ? near : nearest) && near !== "not") return true;
  // "Formerly, it could be sold" does not say that it could be now.
  if (wording.includes("could") && FORMERLY.test(before.join(" "))) return true;
  // "For special cases, you can add a bell" says that you can.
  if (/^you (?:can|may)\b/.test(wording.join(" ")) && before[0] === "for") return false;
  return isGeneral(wording) && (before[0] === "when" || LIMITING_FRONT.test(before.join(" ")));
}

const QUANTITIES =
  /^(?:few|fewer|some|most|many|several|certain|other|half|about|around|roughly|approximately|nearly|almost|only|former|then|any|fake|bogus|alleged|supposed|imaginary|potential|possible|purported|mock|counterfeit|future|fictional|hypothetical|intended|attempted|planned|model|toy|replica|dummy)$/;
const FORMERLY = /^(?:formerly|previously|originally|historically|initially|in the past)$/;
const LIMITING_FRONT =
  /^(?:formerly|previously|originally|historically|initially|traditionally|in the past|until recently|as of|during|before|after|once|while|where|on \w+days?|(?:in|on|at|under|with|for|since) (?:\w+ ){0,3}?(?:winter|summer|spring|autumn|nights?|day|days|weekdays?|weekends?|season|version|versions|releases?|mode|theory|principle|systems?|platforms?|cases?|[^ ]*\d[^ ]*))(?: |$)/;

/** What is so always, and did not happen once. */
const isGeneral = (wording: readonly string[]) =>
  wording.some((word) => /^(?:is|are|am)$/.test(word)) ||
  !wording.some((word) => PAST.test(word) || word === "will");

/** "Visitors may take photographs | after signing a form": what one may do under a condition. */
const isLeaveFor = (wording: readonly string[], after: readonly string[]) =>
  wording.some((word) => /^(?:may|can|must|should)$/.test(word)) &&
  /^(?:without|after|before|with|while|during|by|for|in|on|at|under|only|up|as|from|until|till|within|between)$/.test(
    after[0] ?? "",
  );

/** "Admission is free | on Sundays": what is so in the present may be so only where, when or for whom the rest says. */
const isStateOf = (wording: readonly string[], after: readonly string[]) =>
  /\b(?:is|are|was|were) (?:not )?(?!\w+(?:ed|wn|ld|ne)\b(?<!allowed|permitted|closed|required|needed))\w+$/.test(
    wording.join(" "),
  ) && /^(?:on|in|at|for|to|during|under|from|between|with)$/.test(after[0] ?? "");

/** Whether the wording stands in quotation marks inside of a sentence with words of its own. */
function isQuoted({ text, words }: Sentence, wording: readonly string[]): boolean {
  return [...text.matchAll(/["“„«]([^"“”„«»]{1,2000})["”»]/g)].some(([, inside = ""]) => {
    const quoted = readWords(inside);
    return quoted.length < words.length && quoted.length >= wording.length && findRun(quoted, wording) >= 0;
  });
}

/** The words before a wording that can deny it: its own part of the sentence, or all where it hangs on a "that". */
function scopeBefore(words: readonly string[], at: number, breaks: ReadonlySet<number>): readonly string[] {
  let from = at;
  while (from > 0 && !breaks.has(from) && !CONJUNCTIONS.has(words[from - 1] ?? "")) from--;
  const own = words.slice(from, at);
  const hangs = own.includes("that") || (own.length <= 1 && from > 0 && isAnnounced(words.slice(0, from)));
  return hangs ? words.slice(0, at) : own;
}

const isAnnounced = (words: readonly string[]) =>
  ANNOUNCES_DENIAL.test(words.join(" ")) || SAYS.test(words.at(-1) ?? "") || words[0] === "according";

/** "The toll road | is not open": the wording is what a negated sentence is about. */
function isNegatedAfter(after: readonly string[], isNextPart: boolean): boolean {
  if (isNextPart || CONJUNCTIONS.has(after[0] ?? "")) return false;
  const [first = "", second = ""] = after;
  return (
    /^(?:not|never|nowhere)$/.test(first) ||
    (first === "no" && /^(?:longer|more)$/.test(second)) ||
    (!isContent(first) && /^(?:not|never|no)$/.test(second))
  );
}
