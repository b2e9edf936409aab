import { countDenials, DENIALS, DENYING_PHRASE, NEGATIONS } from "./denials.js";
import { isOpposed } from "./isOpposed.js";
import { listClauses } from "./listClauses.js";
import { readWords, type Sentence } from "./listSentences.js";
import { isOtherNumber, isSameNumber, matchClause } from "./matchClause.js";
import { setOf } from "./setOf.js";
import { stemOf } from "./wordForms.js";
import { APPROXIMATE, CONJUNCTIONS, isContent, isValue, MIN_SHARED_WORDS, PAST, says } from "./wordKinds.js";

/**
 * What a sentence does with a claim's wording: it says it, denies it or says another value, makes it uncertain or depend on
 * something, or lets somebody else say it.
 */
export type Relation = "supports" | "contradicts" | "hedges" | "attributes";

/** A sentence with one of these before a wording does not state the wording. */
const CONDITIONS = setOf("if whether unless suppose supposing assuming imagine would");
/** The same, in the wording's own part of the sentence only. */
const HEDGES = setOf(
  "without might may could perhaps maybe possibly probably likely presumably potentially apparently seemingly allegedly",
  "reportedly supposedly purportedly ostensibly rumoured rumored seem seems seemed appear appears appeared should almost",
  "nearly until till",
);
/** Words after a wording that withdraw part of it. */
const QUALIFIERS = setOf(
  "if unless except provided when only perhaps maybe possibly probably allegedly reportedly supposedly",
);
/** Verbs by which somebody else says it. */
const SAYING =
  "say|says|said|saying|claim|claims|claimed|claiming|report|reports|reported|allege|alleges|alleged|believe|believes|believed|think|thinks|thought|argue|argues|argued|suggest|suggests|suggested|estimate|estimates|estimated|expect|expects|expected|predict|predicts|predicted|assume|assumes|assumed|assert|asserts|asserted|insist|insists|insisted|announce|announces|announced|tells?|t[o]ld|hope|hopes|hoped|plan|plans|planned|intend|intends|intended|promise|promises|promised|propose|proposes|proposed|warn|warns|warned|fear|fears|feared|feel|feels|felt|rumour|rumours|rumor|rumors|according|boast|boasts|boasted|advertise|advertises|advertised";
const SAYS = new RegExp(`^(?:${SAYING})$`);
/** "…, said the mayor", "…, according to her", "…, the mayor says". */
const SAID_AFTER = new RegExp(
  `^(?:(?:or|and) so )?(?:as )?(?:the (?:story|legend) goes|(?:[\\p{L}']+ ){0,4}?(?:${SAYING})\\b)`,
  "u",
);
const PREPOSITIONS = setOf("of from in for at on by");
/** Words that a claim and a page must share, or the one says more than the other. */
const MODALS = setOf("may might can could should would must will shall only always ever");

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
/** "False: …", "It is a lie: …": a part that does nothing but deny what follows. */
const ANNOUNCES_DENIAL = new RegExp(`^(?:(?:this|that|it|which) ${VERB})?${ADVERBS}${DENIED}$`);

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
): Relation | undefined {
  if (claim.length === 0 || sentence.isQuestion) return undefined;
  const { words } = sentence;
  const exact = findRun(words, claim);
  const span = exact >= 0 ? { from: exact, to: exact + claim.length } : findNear(words, claim);
  if (span !== undefined && !isPartOfMore(span, claim, sentence)) return judgeAround(span, sentence, next);
  if (
    listStated(claim, sentence, next).some(
      (clause) => matchClause(claim, clause) || beginsWith(clause, claim),
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
  const end = [...breaks].find((at) => at > 0 && ADDS.has(words[at] ?? "") && !takesBack(words.slice(at)));
  if (end === undefined) return [];
  const head = {
    ...sentence,
    text: text.split(/[,;] (?:while|whereas|and|who|whose) /)[0] ?? "",
    words: words.slice(0, end),
    breaks: new Set([...breaks].filter((at) => at < end)),
  };
  return QUOTED.test(text) || !isPlain(claim, head, next) ? [] : listClauses(head);
}

/** Words after a comma that begin a clause about something else. */
const ADDS = setOf("while whereas and who whose");
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
  const isObject = before > 0 && !hasBreak(breaks, before, from) && HEADS.has(words[before] ?? "");
  const [last = "", after = ""] = [words[to - 1], words[to]];
  const isCompound =
    to < words.length && !breaks.has(to) && isContent(last) && !isValue(last) && isNounLike(after);
  return isObject || isCompound;
}

const HEADS = setOf("of with from without by");
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
  !/ly$|^(?:today|yesterday|tomorrow|again|too|there|here|now|then|after|before|during|within|until|under|over|between|every|each|last|next|this|than|if|unless|except|without|near|through|across|against|once|twice|both|all|per|via|despite|regardless|among|off|out|up|down|upon|along|behind|beside|besides|beyond|throughout|towards?|including|using)$/.test(
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
    words.join(" ").match(DENYING_PHRASE) === null &&
    !RESTRICTED.test(words.join(" ")) &&
    !IN_A_STORY.test(words.join(" ")) &&
    !QUOTED.test(text)
  );
}

const QUOTED = /["“„«]/;

/** Conditions of more than one word. */
const RESTRICTED =
  /\b(?:on (?:the )?condition|subject to|as long as|so long as|in case|in the event|pending|other than|apart from|excluding|at (?:most|least)|or (?:so|more|less|fewer))\b/;
/** What a made-up story says is not what the page says. */
const IN_A_STORY =
  /\bin (?:the|an?|his|her|this|its|their|one) (?:\w+ )?(?:novel|film|movie|book|story|legend|myth|play|poem|game|series|dream|episode|comic|opera|song|tale|fable|simulation|scenario|example|joke)\b/;
/** What follows a wording and lets it hold only then. */
const RESTRICTED_AFTER =
  /^(?:(?:on|at|in|during) (?:the )?(?:\w+days|weekends?|winter|summer|spring|autumn|season|nights?|holidays|public holidays|school holidays|feast days)|during|at night|by appointment|(?:from|until|till) (?:early |late |mid )?(?:january|february|march|april|maymonth|june|july|august|september|october|november|december|noon|midnight|dawn|dusk|spring|summer|autumn|winter|\d)|(?:for|to) (?:members|residents|students|children|pensioners|seniors|guests|subscribers|those|anyone|people|visitors|customers))\b/;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** What the words around a wording make of it. */
function judgeAround({ from, to }: Span, sentence: Sentence, next: Sentence | undefined): Relation {
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
    scope.some((word) => HEDGES.has(word)) ||
    after.slice(0, 4).some((word) => QUALIFIERS.has(word)) ||
    RESTRICTED.test(said) ||
    isLimitedBefore(words.slice(from, to), words.slice(0, from), scope) ||
    (!breaks.has(to) && isLimitedAfter(words.slice(from, to), after)) ||
    after.includes("unless");
  if (isOpen) return "hedges";
  const isSaid =
    IN_A_STORY.test(words.join(" ")) ||
    scope.some((word) => SAYS.test(word)) ||
    (breaks.has(to) && SAID_AFTER.test(said)) ||
    isQuoted(sentence, words.slice(from, to));
  return isSaid ? "attributes" : "supports";
}

/** Whether what follows a wording, without a comma, says where, when or for whom only it is so. */
const isLimitedAfter = (wording: readonly string[], after: readonly string[]) =>
  RESTRICTED_AFTER.test(after.join(" ")) ||
  isStateOf(wording, after) ||
  isLeaveFor(wording, after) ||
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
  return isGeneral(wording) && (before[0] === "when" || LIMITING_FRONT.test(before.join(" ")));
}

const QUANTITIES =
  /^(?:few|fewer|some|most|many|several|certain|other|half|about|around|roughly|approximately|nearly|almost|only|former|then|any)$/;
const LIMITING_FRONT =
  /^(?:as of|during|before|after|once|while|where|on \w+days?|(?:in|on|at|under|with|for|since) (?:\w+ ){0,3}?(?:winter|summer|spring|autumn|nights?|day|days|weekdays?|weekends?|season|version|versions|releases?|mode|theory|principle|systems?|platforms?|cases?|[^ ]*\d[^ ]*))(?: |$)/;

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

function findRun(words: readonly string[], run: readonly string[]): number {
  for (let at = 0; at + run.length <= words.length; at++)
    if (run.every((word, index) => says(words[at + index] ?? "", word))) return at;
  return -1;
}

/**
 * The span that holds all meaningful words of the claim in their order, with only small words between them. Two neighbours
 * may change places around a preposition: "shipyard fitters" and "fitters from the shipyard".
 */
function findNear(words: readonly string[], claim: readonly string[]): Span | undefined {
  const wanted = claim.filter(isContent);
  if (wanted.length < MIN_SHARED_WORDS) return undefined;
  const places = words.flatMap((word, at) => (isContent(word) ? [at] : []));
  for (let start = 0; start + wanted.length <= places.length; start++) {
    const taken = places.slice(start, start + wanted.length);
    if (!isSameOrder(taken, words, wanted)) continue;
    const [from = 0, last = 0] = [taken[0], taken.at(-1)];
    const inside = words.slice(from, last + 1);
    if (wanted.slice(0, 2).some((word, index) => isOtherNumber(word, words[taken[index] ?? 0] ?? "")))
      continue;
    if (claim.some(isApproximate) || !inside.some(isApproximate))
      if (sameTense(claim, inside)) return { from, to: last + 1 };
  }
  return undefined;
}

const isApproximate = (word: string) => APPROXIMATE.has(word);

function isSameOrder(taken: readonly number[], words: readonly string[], wanted: readonly string[]): boolean {
  const wordAt = (index: number) => words[taken[index] ?? -1] ?? "";
  let swaps = 0;
  for (let index = 0; index < wanted.length; index++) {
    if (isSame(wordAt(index), wanted[index] ?? "")) continue;
    const between = words.slice((taken[index] ?? 0) + 1, taken[index + 1]);
    const isSwap =
      swaps === 0 &&
      isSame(wordAt(index), wanted[index + 1] ?? "") &&
      isSame(wordAt(index + 1), wanted[index] ?? "") &&
      between.some((word) => PREPOSITIONS.has(word));
    if (!isSwap) return false;
    swaps += 1;
    index += 1;
  }
  return true;
}

const isSame = (word: string, claimed: string) =>
  says(word, claimed) ||
  (!isValue(word) && !NEGATIONS.has(word) && !MODALS.has(word) && stemOf(word) === stemOf(claimed));

const JOINING = ["and", "or", "but", "to be"] as const;
const count = (words: readonly string[], phrase: string) =>
  ` ${words.join("  ")} `.split(` ${phrase.replace(" ", "  ")} `).length;

/** "Is" and "was" do not say the same. */
function sameTense(claim: readonly string[], words: readonly string[]): boolean {
  const tenses = (list: readonly string[]) =>
    [/^(?:is|are|am)$/, /^(?:was|were)$/, /^(?:will)$/].map((tense) => list.some((word) => tense.test(word)));
  const [one, other] = [tenses(claim), tenses(words)];
  // "Was to be sold" does not say "was sold", and "Ann met Bert and left" not that Bert left.
  const isJoined = JOINING.every((phrase) => count(claim, phrase) === count(words, phrase));
  return isJoined && isSameNumber(claim, words) && one.every((has, index) => has === other[index]);
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
