import { isNegating } from "./denials.js";
import { DESCRIBING } from "./listImplied.js";
import { leaveOut } from "./listRelaxed.js";
import type { Sentence } from "./listSentences.js";
import { PARTICIPLE } from "./matchClause.js";
import { isLimiting } from "./openWords.js";
import { stemOf } from "./wordForms.js";
import { isContent, isNumber, isValue, PAST, says, VERB } from "./wordKinds.js";

type Words = readonly string[];

const MAX_STARTS = 6;
const MAX_GAP = 12;
const PREPOSITION =
  /^(?:in|on|at|by|for|to|from|with|into|near|between|within|of|through|across|against|among|via|as|about|over|under|without)$/;
/** Words that make a thing another one, or fewer of them. */
const NARROWING =
  /^(?:few|fewer|some|most|many|several|certain|other|half|only|former|then|any|fake|bogus|alleged|supposed|imaginary|potential|possible|purported|mock|counterfeit|future|fictional|hypothetical|intended|attempted|planned|model|toy|replica|dummy|each|every|all|both|either|neither|or|who|that|which|if|when|where|while|than|is|are|was|were|be|has|have|had|can|will|may|must|should|could|would|do|does|did)$/;
/** Circumstances without which a thing may not be so. */
const RESTRICTING =
  /^(?:spring|summer|autumn|winter|nights?|days?|weekdays?|weekends?|seasons?|holidays?|christmas|easter|\w+days|theory|principle|part|cases?|general|mode|versions?|during|after|before|until|since|under|unless|except|once)$/;

/**
 * The sentence without what stands between the claim's words and only adds to them: adjectives of an object, a phrase behind a
 * single thing or beside another phrase, and the second of two things. What is left is compared as any sentence.
 */
export function listTrimmed(claim: Words, sentence: Sentence): Sentence[] {
  if ([...claim, ...sentence.words].some(isNegating)) return [];
  const wanted = claim.flatMap((word, at) => (isContent(word) ? [at] : []));
  if (wanted.length < 3) return [];
  const { words } = sentence;
  const starts = words.flatMap((word, at) => (isSame(word, claim[wanted[0] ?? 0] ?? "") ? [at] : []));
  return starts.slice(0, MAX_STARTS).flatMap((start) => {
    const taken = align(
      start,
      wanted.map((at) => claim[at] ?? ""),
      words,
    );
    if (taken === undefined) return [];
    const left = new Set<number>();
    for (let index = 0; index + 1 < taken.length; index++) {
      const [from = 0, to = 0] = [taken[index], taken[index + 1]];
      const gap = words.slice(from + 1, to);
      if (!gap.some(isContent)) continue;
      const claimed = claim.slice((wanted[index] ?? 0) + 1, wanted[index + 1]);
      const out = leaveOutGap({
        gap,
        from,
        to,
        claimed,
        claim,
        sentence,
        isSubject: !hasVerb(claim, wanted[index] ?? 0),
      });
      if (out === undefined) return [];
      for (const at of out) left.add(at);
    }
    return left.size === 0 ? [] : [leaveOut(left, sentence)];
  });
}

const isSame = (word: string, claimed: string) =>
  says(word, claimed) || (!isValue(claimed) && !isValue(word) && stemOf(word) === stemOf(claimed));

/** The places of the claim's words in their order, each as near to the one before as it can be. */
function align(start: number, wanted: Words, words: Words): readonly number[] | undefined {
  const taken = [start];
  for (const word of wanted.slice(1)) {
    const last = taken.at(-1) ?? 0;
    const next = words.findIndex((own, at) => at > last && at <= last + MAX_GAP && isSame(own, word));
    if (next < 0) return undefined;
    taken.push(next);
  }
  return taken;
}

/** Whether a verb stands among the claim's words up to this one. */
const hasVerb = (claim: Words, at: number) =>
  claim.slice(0, at + 1).some((word, index) => (index > 0 && VERB.test(word)) || isVerb(word));
const isVerb = (word: string) =>
  /^(?:is|are|was|were|has|have|had|can|will|may|must|should|does|do|did)$/.test(word);

interface Gap {
  readonly gap: Words;
  readonly from: number;
  readonly to: number;
  readonly claimed: Words;
  readonly claim: Words;
  readonly sentence: Sentence;
  /** Whether the words before it are still the subject's. */
  readonly isSubject: boolean;
}

/** The places of the words that may be left out of a gap; undefined where what stands there changes what is said. */
function leaveOutGap(one: Gap): readonly number[] | undefined {
  const { gap, from, to, claimed, claim, sentence, isSubject } = one;
  const { words, breaks } = sentence;
  const content = gap.filter(isContent);
  if (gap.some((word) => isLimiting(word) || isNumber(word) || RESTRICTING.test(word))) return undefined;
  const range = (start: number, end: number) =>
    Array.from({ length: end - start }, (_, index) => start + index);
  const adverbs = range(from + 1, to).filter((at) => isPlainAdverb(words[at] ?? ""));
  if (adverbs.length === content.length) return adverbs;
  if (gap.some((word) => NARROWING.test(word) && !claimed.includes(word) && !isAgain(word, gap)))
    return undefined;
  // Another deed is another statement: "planned by Bert and built".
  if (gap.some((word, at) => PAST.test(word) || PARTICIPLE.test(word) || (word === "and" && at > 0)))
    return undefined;
  const isBroken = [...breaks].some((at) => at > from && at <= to);
  const nextIsVerb = VERB.test(words[to] ?? "") || isVerb(claimed[0] ?? "");
  // "The maps and the books | were sold": the second of two things.
  if (gap[0] === "and" && !isBroken) {
    const rest = gap.slice(1);
    const link = rest.findLastIndex((word) => isVerb(word) || PREPOSITION.test(word));
    const end = link < 0 ? to : from + 2 + link;
    const second = words.slice(from + 2, end);
    const isSecond =
      second.length > 0 && second.length <= 4 && !second.some((word) => isVerb(word) || PAST.test(word));
    return isSecond && (link >= 0 || nextIsVerb) && !isTogether(words.slice(to, to + 2))
      ? range(from + 1, end)
      : undefined;
  }
  // "The driver for all readers | implements": of one thing.
  if (isSubject && (nextIsVerb || isVerb(gap.at(-1) ?? ""))) {
    const start = startOfSubject(words, from);
    const isOne =
      /^(?:this|the|its)$/.test(words[start] ?? "") &&
      !/[^s]s$/.test(words[from] ?? "") &&
      words[start] === "this";
    const end = isVerb(gap.at(-1) ?? "") ? to - 1 : to;
    return isOne && PREPOSITION.test(gap[0] ?? "") && !isBroken ? range(from + 1, end) : undefined;
  }
  if (isSubject || isBroken) return undefined;
  const link = gap.findLastIndex((word) => PREPOSITION.test(word));
  // "Discussed at some length | on the list": a phrase before another one.
  if (link > 0 && PREPOSITION.test(gap[0] ?? "") && claimed[0] === gap[link])
    return isPast(claim) && !isState(claim) ? range(from + 1, from + 1 + link) : undefined;
  // "Reads large source | files": adjectives of an object.
  const adjectives = range(from + 1, to).filter((at) => isContent(words[at] ?? ""));
  const isLast = adjectives.every((at, index) => at === to - adjectives.length + index);
  const isSingle = !claim.some((word) => /^(?:all|every|each|any|only|always|never|no)$/.test(word));
  return isLast && isSingle && adjectives.every((at) => isDescribing(words[at] ?? ""))
    ? adjectives
    : undefined;
}

const isPlainAdverb = (word: string) =>
  /^(?:also|simply|just|even|still|already|now)$/.test(word) ||
  /^(?!(?:only|likely|hardly|nearly|possibly|probably|usually|normally|generally|partly|partially|mostly|mainly|largely|rarely|previously|formerly|originally|initially|occasionally|roughly|optionally|conditionally|typically|potentially|apparently|supposedly|temporarily|reply|supply|apply|family|assembly)$)\w{3,}ly$/.test(
    word,
  );
/** "Be" in "will be rewritten" is the claim's "is". */
const isAgain = (word: string, gap: Words) => isVerb(word) && gap.at(-1) === word;
const isTogether = (words: Words) =>
  words.some((word) =>
    /^(?:married|combined|joined|mixed|merged|separated|divided|connected|linked|related|compared|shared|split|paired|united|opposed|together|needed|required)$/.test(
      word,
    ),
  );
const isPast = (claim: Words) => claim.some((word) => /^(?:was|were|had|did)$/.test(word) || PAST.test(word));
/** "Was open in 2010" may have been so for some only. */
const isState = (claim: Words) =>
  claim.some((word, at) => /^(?:was|were)$/.test(word) && !PARTICIPLE.test(claim[at + 1] ?? ""));
const isDescribing = (word: string) =>
  DESCRIBING.has(word) || /^(?!(?:un|non|in|im|anti)\w)\w{3,}(?:able|ible|al|ic|ive|ous|ful)$/.test(word);

/** Where the noun phrase that ends at this word begins. */
function startOfSubject(words: Words, end: number): number {
  let at = end;
  while (at > 0 && end - at < 5 && !/^(?:this|the|its|an?)$/.test(words[at] ?? "")) at--;
  return at;
}
