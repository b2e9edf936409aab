import { DENIALS, DENYING_PHRASE, NEGATIONS } from "./denials.js";
import { findNear, findRun, type Span } from "./findSpan.js";
import { isOpposed } from "./isOpposed.js";
import { isLimitedAfter, judgeAround, type Relation } from "./judgeAround.js";
import { listClauses, listNames } from "./listClauses.js";
import { listImplied } from "./listImplied.js";
import { listRelaxed } from "./listRelaxed.js";
import { listPartial, listReordered } from "./listReworded.js";
import type { Sentence } from "./listSentences.js";
import { listTrimmed } from "./listTrimmed.js";
import { exchangeCan, leaveOutAdverb, listThat, listVoiced } from "./listVoiced.js";
import { matchClause } from "./matchClause.js";
import { CONDITIONS, DENIES_LAST, HEDGES, IN_A_STORY, QUALIFIERS, RESTRICTED, SAYS } from "./openWords.js";
import { setOf } from "./setOf.js";
import { CONJUNCTIONS, isContent, isValue, MIN_SHARED_WORDS, MODALS, PAST } from "./wordKinds.js";

/**
 * Compares a sentence with a claim by wording. It says the claim when it holds the claim's words one after the other, or all
 * those that carry meaning with only small words between them, with no denial, hedge, condition or speaker around them, and is
 * no question. It contradicts the claim when it holds these words denied, or the claim's words in order with another number,
 * date or opposite, or with a negation on one side only.
 */
export function compareWording(
  claim: readonly string[],
  sentence: Sentence,
  next: Sentence | undefined,
  isWhole = true,
): Relation | undefined {
  const said = listSaid(claim, sentence);
  const relations = said.flatMap((one) => compareOne(claim, one, next) ?? []);
  if (relations.includes("supports")) return "supports";
  const others = listPossessive(claim);
  const isImplied =
    said.some((one) => others.some((other) => compareOne(other, one, next) === "supports")) ||
    said
      .flatMap((one) => [...listImplied(claim, one), ...listPartial(claim, one)])
      .some((one) => compareOne(claim, one, next) === "supports") ||
    (isWhole && isSaidOtherwise(claim, sentence, next));
  return isImplied ? "supports" : relations[0];
}

function listSaid(claim: readonly string[], sentence: Sentence): Sentence[] {
  const relaxed = listRelaxed(claim, sentence);
  return [
    ...relaxed,
    ...relaxed.flatMap((one) => [
      ...listReordered(claim, one),
      ...listVoiced(claim, one),
      ...listThat(claim, one),
      ...listTrimmed(claim, one),
    ]),
  ];
}

/** Whether the sentence says the claim with an adverb at another place, or with "may" for "can". */
function isSaidOtherwise(claim: readonly string[], sentence: Sentence, next: Sentence | undefined): boolean {
  const can = exchangeCan(claim);
  const moved = leaveOutAdverb(claim, sentence);
  return [can && ([can, sentence] as const), moved].some(
    (one) => one && compareWording(...one, next, false) === "supports",
  );
}

/** "Ann Lee's last book was sold" as "the last book of Ann Lee was sold". Where owner and thing end is tried. */
function listPossessive(claim: readonly string[]): (readonly string[])[] {
  const at = claim.findIndex((word) => /[a-z]'s$/.test(word));
  if (at < 0) return [];
  const starts = [at, at - 1].filter(
    (start) => start === 0 || (start > 0 && !isContent(claim[start - 1] ?? "")),
  );
  return starts.flatMap((start) =>
    [at + 2, at + 3, at + 4].flatMap((end) => {
      const owner = [...claim.slice(start, at), claim[at]?.replace(/'s$/, "") ?? ""];
      const article = start > 0 && /^(?:the|an?)$/.test(claim[start - 1] ?? "") ? 1 : 0;
      if (end > claim.length) return [];
      return ["of", "in"].map((link) => [
        ...claim.slice(0, start - article),
        ...claim.slice(at + 1, end),
        link,
        ...claim.slice(start - article, start),
        ...owner,
        ...claim.slice(end),
      ]);
    }),
  );
}

function compareOne(
  claim: readonly string[],
  sentence: Sentence,
  next: Sentence | undefined,
): Relation | undefined {
  if (claim.length === 0 || sentence.isQuestion) return undefined;
  const { words } = sentence;
  const exact = findRun(words, claim);
  const span = exact >= 0 ? { from: exact, to: exact + claim.length } : findNear(words, claim);
  if (span !== undefined && !isPartOfMore(span, claim, sentence)) return judgeAround(span, sentence, next);
  if (
    listStated(claim, sentence, next).some(
      (clause) =>
        clause.includes("or") === claim.includes("or") &&
        (matchClause(claim, clause) || beginsWith(clause, claim)),
    )
  )
    return "supports";
  return isOpposed(claim, sentence) ? "contradicts" : undefined;
}

/** The clauses that a sentence states: of all of it, or of what stands before a clause that only adds something. */
function listStated(
  claim: readonly string[],
  sentence: Sentence,
  next: Sentence | undefined,
): (readonly string[])[] {
  const { words, breaks, text } = sentence;
  if (isPlain(claim, sentence, next)) return listClauses(sentence);
  const named = listNamedBefore(claim, sentence, next);
  const end =
    [...breaks].find((at) => at > 0 && ADDS.has(words[at] ?? "") && !takesBack(words.slice(at))) ??
    findLaterDeed(words);
  if (end === undefined) return named;
  const head = {
    ...sentence,
    text: `${text.split(/[,;] (?:while|whereas|and|who|whose|which|where|since|because|although|though|but) | and /)[0] ?? ""}, `,
    words: words.slice(0, end),
    breaks: new Set([...breaks].filter((at) => at < end)),
  };
  return QUOTED.test(text) || !isPlain(claim, head, next) ? named : [...named, ...listClauses(head)];
}

/** "Ann founded it in 1993 | and led it until 1996": what happened next limits nothing, unless it takes something back. */
function findLaterDeed(words: readonly string[]): number | undefined {
  const at = words.indexOf("and");
  const isDeed =
    at > 1 && PAST.test(words[at + 1] ?? "") && words.slice(0, at).some((word) => PAST.test(word));
  const later = words.slice(at + 1);
  const isOpen = later.some((word) => CONDITIONS.has(word) || QUALIFIERS.has(word) || NEGATIONS.has(word));
  return isDeed && !isOpen && !takesBack(words.slice(at)) ? at : undefined;
}

/** "The director, Ann Lee, expects" says who the director is, whatever she expects. */
function listNamedBefore(
  claim: readonly string[],
  sentence: Sentence,
  next: Sentence | undefined,
): (readonly string[])[] {
  const said = sentence.words.find((word) => SAYS.test(word));
  const words = sentence.words.filter((word) => !SAYS.test(word));
  if (said === undefined || !isPlain(claim, { ...sentence, words }, next)) return [];
  return listNames(sentence.text.slice(0, sentence.text.search(new RegExp(`\\b${said}\\b`, "i"))));
}

/** Words after a comma that begin a clause about something else. */
const ADDS = setOf("while whereas and who whose which where since because although though but");
const takesBack = (words: readonly string[]) =>
  words.some((word) => DENIALS.has(word)) ||
  /^(?:not|only|never|even|then|so)$/.test(words[1] ?? "") ||
  words.slice(0, 5).some((word) => SAYS.test(word));

/** Whether a clause begins with all meaningful words of a claim. */
function beginsWith(clause: readonly string[], claim: readonly string[]): boolean {
  const span = findNear(clause, claim);
  return (
    span !== undefined &&
    span.from === clause.findIndex(isContent) &&
    !isCompoundAt(span.to, clause) &&
    !isLimitedAfter(clause.slice(span.from, span.to), clause.slice(span.to))
  );
}

/**
 * Whether the wording is only a piece of another statement: "the ferry sank" in "the owner of the ferry sank", or "sold the
 * ferry" in "sold the ferry division".
 */
function isPartOfMore({ from, to }: Span, claim: readonly string[], { words, breaks }: Sentence): boolean {
  if (claim.filter(isContent).length < MIN_SHARED_WORDS) return false;
  let before = from - 1;
  while (/^(?:the|an?|its|their|his|her|our)$/.test(words[before] ?? "")) before--;
  const heads = hasBreak(breaks, from, to - 1) ? PHRASE_HEADS : HEADS;
  const isObject = before > 0 && !hasBreak(breaks, before, from) && heads.has(words[before] ?? "");
  return isObject || (!breaks.has(to) && isCompoundAt(to, words));
}

/** "Sold the ferry | division". */
function isCompoundAt(to: number, words: readonly string[]): boolean {
  const [last = "", after = ""] = [words[to - 1], words[to]];
  return to < words.length && isContent(last) && !isValue(last) && isNounLike(after);
}

const HEADS = setOf("of with from without by");
/** What ends at a comma belongs to these: "sold to Ann Lee, | left" does not say that she left. */
const PHRASE_HEADS = setOf("of with from without by to for in at on near and");
const hasBreak = (breaks: ReadonlySet<number>, from: number, to: number) =>
  [...breaks].some((at) => at > from && at <= to);
/** Neither a small word nor an adverb, and no word of time, which begins something else. */
const isNounLike = (word: string) =>
  isContent(word) &&
  !isValue(word) &&
  !CONJUNCTIONS.has(word) &&
  !QUALIFIERS.has(word) &&
  !MODALS.has(word) &&
  !NEGATIONS.has(word) &&
  !/ly$|^(?:today|yesterday|tomorrow|again|too|there|here|now|then|after|before|during|within|until|under|over|between|every|each|last|next|this|than|if|unless|except|without|near|through|across|against|once|twice|both|all|instead|rather|per|via|despite|regardless|among|off|out|up|down|upon|along|behind|beside|besides|beyond|throughout|towards?|including|using|(?!(?:build|meet|train|sett|land|cross|rail|paint|open|list|hous|park|wedd|even|morn|record|draw|cloth|head|mapp|r|k|spr|str|th|ceil|w|wr|write)ing)\w+ing)$/.test(
    word,
  );

/** Whether a sentence states what it says: no denial, hedge, condition or speaker that the claim has not. */
function isPlain(claim: readonly string[], { words, text }: Sentence, next: Sentence | undefined): boolean {
  const has = (word: string) => claim.includes(word);
  const isOpen = (word: string) =>
    (NEGATIONS.has(word) ||
      DENIALS.has(word) ||
      CONDITIONS.has(word) ||
      QUALIFIERS.has(word) ||
      SAYS.test(word) ||
      HEDGES.has(word)) &&
    !has(word);
  // "When the mill closed in 1998, the town bought it": what happened once, at a time.
  const isTime = words[0] === "when" && claim.some((word) => PAST.test(word));
  const isDenied = next !== undefined && DENIES_LAST.test(next.words.join(" "));
  return (
    !isDenied &&
    !words.slice(isTime ? 1 : 0).some(isOpen) &&
    !/^(?:had|were|should)$/.test(words[0] ?? "") &&
    words.join(" ").match(DENYING_PHRASE) === null &&
    !RESTRICTED.test(words.join(" ")) &&
    !IN_A_STORY.test(words.join(" ")) &&
    !QUOTED.test(text)
  );
}

const QUOTED = /["“„«]/;
