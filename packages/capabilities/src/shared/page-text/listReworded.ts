import { isNegating } from "./denials.js";
import { leaveOut } from "./listRelaxed.js";
import type { Sentence } from "./listSentences.js";
import { PARTICIPLE, PREPOSITIONS } from "./matchClause.js";
import { isLimiting } from "./openWords.js";
import { setOf } from "./setOf.js";
import { stemOf } from "./wordForms.js";
import { isContent, isNumber, isValue } from "./wordKinds.js";

type Words = readonly string[];

/** The same statement with its parts in the claim's order, or in its voice; what differs from it then is said otherwise. */
export function listReordered(claim: Words, sentence: Sentence): Sentence[] {
  return [
    ...leaveOutThing(claim, sentence),
    ...moveBack(claim, sentence),
    ...moveToFront(claim, sentence),
    ...listDone(claim, sentence),
    ...swapAroundIs(claim, sentence),
  ].map((words) => ({ ...sentence, words, breaks: new Set([0]) }));
}

/** "The tool is a small program based on Ant" as "the tool is based on Ant". */
function leaveOutThing(claim: Words, { words, breaks }: Sentence): Words[] {
  const is = words.findIndex((word, at) => /^(?:is|was)$/.test(word) && /^an?$/.test(words[at + 1] ?? ""));
  const counting = words.findIndex(
    (word, at) => at > is + 2 && at <= is + 6 && word === "for" && /ing$/.test(words[at + 1] ?? ""),
  );
  const subject = words[is - 1];
  const does = claim[claim.indexOf(subject ?? "") + 1] ?? "";
  // "Is a program for counting lines" as "counts lines".
  if (
    is > 0 &&
    counting > 0 &&
    /s$/.test(does) &&
    stemOf(does) === stemOf(words[counting + 1] ?? "") &&
    !words.slice(0, counting).some(isLimiting)
  )
    return [[...words.slice(0, is), does, ...words.slice(counting + 2)]];
  const deed = words.findIndex(
    (word, at) =>
      at > is + 2 && at <= is + 6 && PARTICIPLE.test(word) && PREPOSITIONS.has(words[at + 1] ?? ""),
  );
  const isThing =
    is > 0 &&
    deed > 0 &&
    claim.some((word, at) => word === words[is] && claim[at + 1] === words[deed]) &&
    !words.slice(is, deed).some((word) => PREPOSITIONS.has(word) || word === "of" || isLimiting(word)) &&
    ![...breaks].some((at) => at > is && at <= deed);
  return isThing ? [[...words.slice(0, is + 1), ...words.slice(deed)]] : [];
}

/** Words that begin a circumstance, which may stand in front or behind. */
const CIRCUMSTANCES = setOf("if when whenever unless once until from since after before bydefault");
const BEGINS = /^(?:the|an?|its|this|that|it|they|you|we)$/;
const MAX_CIRCUMSTANCE = 6;

/** "If it rains, the gate is shut" as "the gate is shut if it rains". */
function moveBack(claim: Words, { words, breaks }: Sentence): Words[] {
  const [first = ""] = words;
  if (!CIRCUMSTANCES.has(first) || claim[0] === first || !claim.includes(first)) return [];
  const parts = [...breaks].filter((at) => at > 1).sort((one, other) => one - other);
  const start =
    parts[0] ?? words.findIndex((word, at) => at > 1 && at <= MAX_CIRCUMSTANCE && BEGINS.test(word));
  if (start < 2 || words.slice(parts[1] ?? words.length).some(isLimiting)) return [];
  const front = words.slice(0, start);
  const main = words.slice(words[start] === "then" ? start + 1 : start, parts[1]);
  if (main.some((word) => CIRCUMSTANCES.has(word))) return [];
  return [[...main, ...front], ...exchangeIt(front, main)];
}

/** "If a file is read it is locked" as "a file is locked if it is read". */
function exchangeIt(front: Words, main: Words): Words[] {
  const [when = "", ...said] = front;
  const verb = said.findIndex((word) => /^(?:is|are|was|were|has|have)$/.test(word));
  const isIt = /^(?:it|they)$/.test(main[0] ?? "") && verb > 0 && verb <= MAX_CIRCUMSTANCE;
  return isIt ? [[...said.slice(0, verb), ...main.slice(1), when, main[0] ?? "", ...said.slice(verb)]] : [];
}

/** "The gate is shut if it rains" as "if it rains, the gate is shut". */
function moveToFront(claim: Words, { words, breaks }: Sentence): Words[] {
  const [first = ""] = claim;
  const at = words.indexOf(first);
  if (!CIRCUMSTANCES.has(first) || at < 2 || breaks.size > 1) return [];
  const main = words.slice(0, at);
  const isBound = /^(?:only|even|except|not|and|or|but)$/.test(words[at - 1] ?? "");
  return isBound || main.some((word) => CIRCUMSTANCES.has(word)) ? [] : [[...words.slice(at), ...main]];
}

/** "Added a bell to the gate", as lists of changes say it, is "a bell was added to the gate". */
function listDone(claim: Words, { words, breaks }: Sentence): Words[] {
  const [verb = "", next = ""] = words;
  if (!PARTICIPLE.test(verb) || PREPOSITIONS.has(next) || /^(?:of|as|and|or)$/.test(next)) return [];
  const at = claim.findIndex((word) => stemOf(word) === stemOf(verb));
  const [, auxiliary] =
    / (was|were|has been|have been) $/.exec(` ${claim.slice(0, Math.max(at, 0)).join(" ")} `) ?? [];
  if (auxiliary === undefined) return [];
  const end = [...breaks].find((start) => start > 0) ?? words.length;
  return words
    .slice(0, end + 1)
    .flatMap((word, index) => (index > 1 && (index === end || PREPOSITIONS.has(word)) ? [index] : []))
    .concat(end === words.length ? [end] : [])
    .map((split) => [...words.slice(1, split), ...auxiliary.split(" "), verb, ...words.slice(split, end)]);
}

/** "Ann Lee is the mayor of Oban" is "the mayor of Oban is Ann Lee". */
function swapAroundIs(claim: Words, { words, breaks }: Sentence): Words[] {
  const starts = [...breaks];
  const start = starts.findLast((from) => {
    const at = words.findIndex((word, index) => index >= from && /^(?:is|was)$/.test(word));
    return at > from && at - from <= 3 && words[at + 1] === "the";
  });
  if (start === undefined || !claim.some((word) => /^(?:is|was)$/.test(word))) return [];
  const at = words.findIndex((word, index) => index >= start && /^(?:is|was)$/.test(word));
  const end = starts.find((from) => from > at) ?? words.length;
  const who = words.slice(start, at);
  const isNamed =
    who.every(isContent) && !who.some((word) => isLimiting(word) || /^(?:he|she|they|here|now)$/.test(word));
  return isNamed && !words.slice(0, start).some(isLimiting)
    ? [[...words.slice(at + 1, end), words[at] ?? "", ...who]]
    : [];
}

/** What a sentence says of one thing of several, or of the things that it names as examples. */
export function listPartial(claim: Words, sentence: Sentence): Sentence[] {
  const { words, breaks } = sentence;
  if ([...claim, ...words].some(isNegating)) return leaveOutWill(claim, sentence);
  return [
    ...leaveOutSubject(claim, sentence),
    ...leaveOutKind(claim, sentence),
    ...leaveOutWill(claim, sentence),
    ...listPredicates(words, breaks).map((own) => ({ ...sentence, words: own, breaks: new Set([0]) })),
  ];
}

/** Said of several things as one: "Ann and Bert are married". */
const TOGETHER =
  /^(?:married|combined|joined|mixed|merged|separated|divided|connected|linked|related|compared|shared|split|paired|united|opposed|used|needed|required|known|called)$/;

/** "The maps and the books were sold" says that the books were. */
function leaveOutSubject(claim: Words, sentence: Sentence): Sentence[] {
  const { words, breaks } = sentence;
  const and = words.indexOf("and");
  const verb = words.findIndex((word) => /^(?:are|were)$/.test(word));
  const start = [...breaks].findLast((at) => at <= and) ?? 0;
  const isPlain =
    and > start &&
    verb > and &&
    verb - start <= 7 &&
    ![...breaks].some((at) => at > start && at <= verb) &&
    !words
      .slice(start, verb)
      .some((word) => PREPOSITIONS.has(word) || /^(?:of|both|or|who|that|which)$/.test(word)) &&
    PARTICIPLE.test(words[verb + 1] ?? "") &&
    !TOGETHER.test(words[verb + 1] ?? "");
  if (
    !isPlain ||
    claim
      .slice(
        0,
        claim.findIndex((word) => /^(?:are|were)$/.test(word)),
      )
      .includes("and")
  )
    return [];
  const from = /^(?:the|its|their|all)$/.test(words[start] ?? "") ? start + 1 : start;
  const range = (one: number, other: number) =>
    new Set(Array.from({ length: other - one }, (_, index) => one + index));
  return [leaveOut(range(and, verb), sentence), leaveOut(range(from, and + 1), sentence)];
}

/** "May use libraries such as Ant and Bee" says that it may use Ant and Bee. */
function leaveOutKind(claim: Words, sentence: Sentence): Sentence[] {
  const { words, breaks } = sentence;
  const at = words.findIndex((word, index) => word === "such" && words[index + 1] === "as");
  if (at < 2 || breaks.has(at) || claim.includes("such")) return [];
  return [1, 2].map((length) =>
    leaveOut(new Set(Array.from({ length: length + 2 }, (_, index) => at - length + index)), sentence),
  );
}

/** What manuals write about: there "will" says what always happens. */
const OF_MACHINES =
  /(?<!\w)-{1,2}[a-z]|\w_\w|\(\)|\b(?:options?|flags?|functions?|methods?|commands?|parameters?|arguments?|director(?:y|ies)|variables?|scripts?|modules?|servers?|directives?|strings?|outputs?|inputs?|errors?|files?|macros?|class|compiler|plugins?)\b/i;
const OF_PLANS =
  /\b(?:plans?|planned|soon|future|next|later|eventually|tomorrow|(?:19|20)\d\d|release[sd]?|version \d)\b/i;

/** "When it rains, the gate will close" says what it does whenever it rains, and no plan. */
function leaveOutWill(claim: Words, sentence: Sentence): Sentence[] {
  const { words, text } = sentence;
  const at = words.indexOf("will");
  const isOfMachine =
    OF_MACHINES.test(text) &&
    ![...claim, ...words].some((word) => isValue(word) && !isNumber(word)) &&
    !OF_PLANS.test(text);
  const isGeneral =
    isOfMachine || [claim, words].every((list) => list.some((word) => /^(?:if|when|whenever)$/.test(word)));
  const verb = words[at + 1] ?? "have";
  const said =
    verb === "be" && PARTICIPLE.test(words[at + 2] ?? "")
      ? claim.find((word) => /^(?:is|are)$/.test(word))
      : claim.find((word) => stemOf(word) === stemOf(verb));
  return at > 0 &&
    isGeneral &&
    (isContent(verb) || verb === "be") &&
    said !== undefined &&
    !claim.includes("will")
    ? [leaveOut(new Set([at]), { ...sentence, words: words.with(at + 1, said) })]
    : [];
}

/** "Code is easy to port, easy to read, and easy to change": each of the parts that begin alike. */
function listPredicates(words: Words, breaks: ReadonlySet<number>): Words[] {
  const starts = [...breaks].sort((one, other) => one - other);
  const parts = starts.map((start, index) => words.slice(start, starts[index + 1]));
  const verb = parts[0]?.findIndex((word) => /^(?:is|are|was|were)$/.test(word)) ?? -1;
  const subject = parts[0]?.slice(0, verb + 1) ?? [];
  const head = parts[0]?.[verb + 1];
  const others = parts.slice(1).map((part) => (part[0] === "and" ? part.slice(1) : part));
  return verb > 0 && others.length > 0 && others.every((part) => part[0] === head)
    ? [parts[0] ?? [], ...others.map((part) => [...subject, ...part])]
    : [];
}
