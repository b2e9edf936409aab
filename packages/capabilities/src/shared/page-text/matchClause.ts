import { stemOf } from "./canonicalWords.js";

/** A clause taken apart: who does what, and the phrases beside it that say where, when, by whom and for how much. */
interface Clause {
  readonly core: readonly string[];
  /** Between the subject and its verb: "the hall at Oban was sold". */
  readonly ofSubject: readonly Phrase[];
  readonly ofVerb: readonly Phrase[];
  readonly tense: "past" | "present" | "future";
  readonly isSingular: boolean;
  readonly isRough: boolean;
  /** Whether it tells what was done, and not how something was. */
  readonly isEvent: boolean;
  /** Whether a verb of its own says what the subject does, and no "is" or "can" what it is. */
  readonly isDeed: boolean;
}

interface Phrase {
  readonly preposition: string;
  readonly words: string[];
}

const setOf = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(" ")));
const PREPOSITIONS = setOf("in on at by for to from with into near between under during");
/** Words that carry no meaning of their own here. */
const SMALL = setOf("a an the its their his her our it this of also");
const AUXILIARIES = setOf("is are was were be been being am has have had do does did will");
const APPROXIMATE = setOf("about some around approximately roughly circa");
/** Words at which another clause begins. */
const ENDS = setOf(
  "and but or nor so yet because while although though whereas however since as when where that which who whose than after before until",
);
/** Circumstances without which a thing may not be so. */
const RESTRICTING = setOf(
  "spring summer autumn winter night nights day days weekday weekdays weekend weekends season holidays holiday christmas easter",
  "mondays tuesdays wednesdays thursdays fridays saturdays sundays theory principle paper part case fiction dreams general",
);
const MONTHS = setOf("january february march april may june july august september october november december");
const PARTICIPLE =
  /(?:ed|wn|ght)$|^(?:sold|built|made|held|kept|led|won|lost|found|begun|written|given|seen|run|paid|sent|left|taken|cut|put|set|met|driven|chosen|broken|spent)$/;
/** Participles that tell how something is. */
const STATES = setOf(
  "closed allowed permitted required needed used limited reserved supposed intended known",
);
const MIN_CONTENT = 3;

/**
 * Whether a clause states a claim with its phrases in another order, with further phrases beside them, or in the other
 * voice: "The hall was sold to Ann on 3 June 2022" states "The hall was sold in 2022". Phrases may be left out only of what
 * happened once: what is so on Sundays is not simply so.
 */
export function matchClause(claim: readonly string[], clause: readonly string[]): boolean {
  if (claim.some((word) => ENDS.has(word))) return false;
  const [wanted, own] = [readClause(claim), readClause(clause)];
  const size = wanted.core.length + wanted.ofVerb.reduce((sum, { words }) => sum + words.length, 0);
  if (size < MIN_CONTENT || wanted.core.length < 2) return false;
  if (wanted.tense !== own.tense || wanted.isRough !== own.isRough) return false;
  if (!sameWords(wanted.core, own.core) || !isSameSubject(wanted, own)) return false;
  const left = [...own.ofVerb];
  const isSaid = wanted.ofVerb.every((phrase) => {
    const at = left.findIndex((candidate) => covers(candidate, phrase));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  const isFree =
    !left.some(restricts) && ((own.tense === "past" && own.isEvent) || (own.isDeed && left.every(isPlace)));
  return isSaid && (left.length === 0 || isFree);
}

/** "The hall at Oban was sold" says that the hall was; "Visitors from abroad paid" does not say that visitors did. */
function isSameSubject(wanted: Clause, own: Clause): boolean {
  if (wanted.ofSubject.length === 0 && own.ofSubject.length > 0)
    return (
      own.tense === "past" &&
      own.isSingular &&
      own.ofSubject.every((phrase) => /^(?:at|in|near)$/.test(phrase.preposition) && !restricts(phrase))
    );
  return (
    wanted.ofSubject.length === own.ofSubject.length &&
    wanted.ofSubject.every((phrase, index) => {
      const other = own.ofSubject[index];
      return other !== undefined && covers(other, phrase);
    })
  );
}

/** "The firm employs nine people in two countries" says that it employs nine people. */
const isPlace = ({ preposition }: Phrase) => /^(?:in|at|from)$/.test(preposition);
const restricts = ({ words }: Phrase) => words.some((word) => RESTRICTING.has(word));

/** Reads to the end of the first clause. */
function readClause(all: readonly string[]): Clause {
  const end = all.findIndex((word, index) => index > 0 && ENDS.has(word));
  const words = end < 0 ? all : all.slice(0, end);
  const core: string[] = [];
  let ofSubject: Phrase[] = [];
  let phrases: Phrase[] = [];
  let isPassive = false;
  words.forEach((word, index) => {
    if (AUXILIARIES.has(word)) {
      if (phrases.length > 0 && ofSubject.length === 0) {
        ofSubject = phrases;
        phrases = [];
      }
      isPassive ||=
        /^(?:is|are|was|were|been)$/.test(word) &&
        PARTICIPLE.test(words[index + 1] ?? "") &&
        !STATES.has(words[index + 1] ?? "");
    } else if (PREPOSITIONS.has(word) && core.length > 0) phrases.push({ preposition: word, words: [] });
    else if (!SMALL.has(word) && !APPROXIMATE.has(word)) (phrases.at(-1)?.words ?? core).push(word);
  });
  const shape = {
    ofSubject,
    tense: readTense(words, core),
    isSingular: words.includes("was") || words.includes("has"),
    isRough: words.some((word) => APPROXIMATE.has(word)),
    isEvent: isPassive || !words.some((word) => /^(?:was|were)$/.test(word)),
    isDeed: !words.some((word) => /^(?:is|are|am|be|can|may|must|will)$/.test(word)),
  };
  const verb = core.at(-1) ?? "";
  const agent = phrases.find(({ preposition }) => preposition === "by");
  // "The company, founded by Ann": the auxiliary may be left out.
  if (agent === undefined || !PARTICIPLE.test(verb) || !(isPassive || core.length > 1))
    return { ...shape, core, ofVerb: phrases };
  return {
    ...shape,
    core: [...agent.words, verb, ...core.slice(0, -1)],
    ofVerb: phrases.filter((phrase) => phrase !== agent),
  };
}

function readTense(words: readonly string[], core: readonly string[]): Clause["tense"] {
  if (words.includes("will")) return "future";
  const isPast =
    words.some((word) => /^(?:was|were|had|has|have|did)$/.test(word)) ||
    core
      .slice(1)
      .some((word) => PARTICIPLE.test(word) || /^(?:took|fell|rose|grew|went|came|cost)$/.test(word));
  return isPast && !words.some((word) => /^(?:is|are|am)$/.test(word)) ? "past" : "present";
}

const sameWords = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((word, index) => isSame(word, other[index] ?? ""));

const isSame = (one: string, other: string) =>
  one === other || (!/\d/.test(one + other) && stemOf(one) === stemOf(other));

/** Whether a phrase of the page says one of the claim: the same words, or a date of which the claim names less. */
function covers(own: Phrase, claimed: Phrase): boolean {
  const isInTime = ({ preposition, words }: Phrase) => /^(?:in|on)$/.test(preposition) && isDate(words);
  if (isInTime(own) && isInTime(claimed))
    return sameWords(claimed.words, own.words.slice(-claimed.words.length));
  return own.preposition === claimed.preposition && sameWords(own.words, claimed.words);
}

const isDate = (words: readonly string[]) =>
  words.length > 0 &&
  words.length <= 3 &&
  words.every((word) => MONTHS.has(word) || /^\d{1,2}$|^[12]\d{3}$/.test(word)) &&
  /^[12]\d{3}$/.test(words.at(-1) ?? "");

/**
 * The clauses of a sentence as if each stood alone: each part, and a subject with what is said of it between commas and
 * behind them. "The firm, founded by Ann, employs nine" holds "the firm founded by Ann" and "the firm employs nine".
 */
export function listClauses(words: readonly string[], breaks: ReadonlySet<number>): (readonly string[])[] {
  const starts = [...breaks].sort((one, other) => one - other);
  const parts = starts.map((start, index) => words.slice(start, starts[index + 1]));
  const [subject = [], aside = [], rest = []] = parts;
  const isNamed =
    /^(?:the|its|their|our|his|her)$/.test(subject[0] ?? "") ||
    (/^(?:an?|the)$/.test(aside[0] ?? "") && VERB.test(rest[0] ?? ""));
  const isAside =
    parts.length >= 3 && subject.length <= MAX_SUBJECT && isNamed && !ENDS.has(rest[0] ?? "and");
  const participle = aside[0] ?? "";
  return [
    ...parts,
    ...(isAside ? [[...subject, ...rest]] : []),
    ...(isAside && PARTICIPLE.test(participle) ? [[...subject, ...aside]] : []),
    ...parts.flatMap(listJoined),
    ...listDated(parts),
  ];
}

/** "Each box holds nine cups and weighs a pound" holds "each box weighs a pound". Where the subject ends is tried. */
function listJoined(part: readonly string[]): (readonly string[])[] {
  const at = part.indexOf("and");
  // "The sister of Bert and paid nurses": what is joined stands behind another verb.
  const isVerbBefore = part.slice(1, Math.max(at, 1)).some((word) => VERB.test(word));
  if (at < 0 || !VERB.test(part[at + 1] ?? "") || !isVerbBefore) return [];
  const ends = part.flatMap((word, index) => (index < at && !SMALL.has(word) ? [index + 1] : []));
  return ends.slice(0, MAX_SUBJECT_CONTENT).map((end) => [...part.slice(0, end), ...part.slice(at + 1)]);
}

const VERB =
  /^(?:is|are|was|were|has|have)$|^(?!(?:its|this|his|as)$)[a-z]{3,}(?:s|ed)$|^(?:took|fell|rose|grew|went|came|sold|built|made|held|kept|led|won|lost|found|left|sent|paid|ran|became|began|brought|bought)$/;
const MAX_SUBJECT_CONTENT = 3;

/** "On 4 May 1902 the stone was laid" and "In 1902, the stone was laid", with the date behind. */
function listDated(parts: readonly (readonly string[])[]): (readonly string[])[] {
  const [first = [], second = []] = parts;
  if (!/^(?:in|on)$/.test(first[0] ?? "")) return [];
  const end = [4, 3, 2].find((length) => first.length >= length && isDate(first.slice(1, length)));
  if (end === undefined) return [];
  const rest = end < first.length ? first.slice(end) : second;
  return [[...rest, ...first.slice(0, end)]];
}

/** In words. A longer one is more likely a sentence of its own. */
const MAX_SUBJECT = 5;
