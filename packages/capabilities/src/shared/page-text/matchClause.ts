import { setOf } from "./setOf.js";
import { isPastForm, stemOf } from "./wordForms.js";
import { VERB } from "./wordKinds.js";

/** A clause taken apart: who does what, and the phrases beside it that say where, when, by whom and for how much. */
interface Clause {
  readonly core: readonly string[];
  /** Between the subject and its verb: "the hall at Oban was sold". */
  readonly ofSubject: readonly Phrase[];
  readonly ofVerb: readonly Phrase[];
  readonly tense: "past" | "present" | "future";
  readonly isSingular: boolean;
  readonly isRough: boolean;
  readonly adverbs: readonly string[];
  /** Whether it tells what was done, and not how something was. */
  readonly isEvent: boolean;
  /** Whether a verb of its own says what the subject does, and no "is" or "can" what it is. */
  readonly isDeed: boolean;
  /** Whether a "by" says who does it. */
  readonly hasAgent: boolean;
}

interface Phrase {
  readonly preposition: string;
  readonly words: string[];
}

export const PREPOSITIONS = setOf(
  "in on at by for to from with into near between under during within beside through across against among behind beyond over",
);
/** Words that carry no meaning of their own here. */
export const SMALL = setOf("a an the its their his her our it this of also");
const AUXILIARIES = setOf("is are was were be been being am has have had do does did will");
/** Words that may stand anywhere in a clause and say how often or when it is so. */
export const ADVERBS = setOf(
  "often sometimes usually always frequently occasionally today now later bydefault",
);
const APPROXIMATE = setOf("about some around approximately roughly circa");
/** Words at which another clause begins. */
export const ENDS = setOf(
  "and but or nor so yet because while although though whereas however since as when where that which who whose than after before until",
);
/** Circumstances without which a thing may not be so. */
const RESTRICTING = setOf(
  "spring summer autumn winter night nights day days weekday weekdays weekend weekends season holidays holiday christmas easter",
  "mondays tuesdays wednesdays thursdays fridays saturdays sundays theory principle paper part case fiction dreams general",
);
const MONTHS = setOf(
  "january february march april maymonth june july august september october november december",
);
export const PARTICIPLE =
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
  return listOrders(claim).some((said) => listOrders(clause).some((own) => isSaidBy(said, own)));
}

/** "On Mondays repairs are done" also with "on Mondays" behind. Where a phrase in front ends is tried. */
function listOrders(words: readonly string[]): (readonly string[])[] {
  if (!PREPOSITIONS.has(words[0] ?? "")) return [words, ...markVerb(words)];
  const ends = [2, 3, 4, 5, 6].filter((end) => end < words.length - 1 && !AUXILIARIES.has(words[end] ?? ""));
  return [words, ...ends.map((end) => [...words.slice(end), ...words.slice(0, end)])];
}

/** "The library in Kesten lends": with an auxiliary before the verb, which ends what belongs to the subject. */
function markVerb(words: readonly string[]): (readonly string[])[] {
  const at = words.findIndex((word) => PREPOSITIONS.has(word));
  return [at + 2, at + 3, at + 4]
    .filter((verb) => at > 0 && VERB.test(words[verb] ?? "") && !words.slice(0, verb).some(isAuxiliary))
    .map((verb) => [...words.slice(0, verb), "do", ...words.slice(verb)]);
}

const isAdverb = (word: string) =>
  ADVERBS.has(word) ||
  /^(?!(?:fami|supp|rep|app|re|on|ear|dai|fly|assemb|monopo|anoma)ly$)[a-z]{3,}ly$/.test(word);
const isAuxiliary = (word: string) => AUXILIARIES.has(word);

function isSaidBy(claim: readonly string[], clause: readonly string[]): boolean {
  const [wanted, own] = [readClause(claim), readClause(clause)];
  const size = wanted.core.length + wanted.ofVerb.reduce((sum, { words }) => sum + words.length, 0);
  if (size < MIN_CONTENT || wanted.core.length < 2) return false;
  if (wanted.tense !== own.tense || !isSameNumber(claim, clause) || wanted.isRough !== own.isRough)
    return false;
  if (wanted.core.slice(0, 2).some((word, index) => isOtherNumber(word, own.core[index] ?? ""))) return false;
  if (own.adverbs.join() !== wanted.adverbs.join()) return false;
  if (!sameWords(wanted.core, own.core) || !isSameSubject(wanted, own)) return false;
  const left = [...own.ofVerb];
  const isSaid = wanted.ofVerb.every((phrase) => {
    const at = left.findIndex((candidate) => covers(candidate, phrase));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  const isFree =
    !left.some(restricts) &&
    ((own.tense === "past" && own.isEvent) || ((own.isDeed || own.hasAgent) && left.every(isPlace)));
  return isSaid && (left.length === 0 || isFree);
}

/** "Students failed" does not say "a student failed". A verb has such an "s" too, but not among the first words. */
export const isOtherNumber = (one: string, other: string) =>
  one !== other && (pluralsOf(one).includes(other) || pluralsOf(other).includes(one));
const pluralsOf = (word: string) => [`${word}s`, `${word}es`, word.replace(/y$/, "ies")];

/** "The pipes were" does not say "the pipe was". */
export function isSameNumber(one: readonly string[], other: readonly string[]): boolean {
  const [of, ofOther] = [one, other].map((words) => [
    words.some((word) => /^(?:is|was|has)$/.test(word)),
    words.some((word) => /^(?:are|were|have)$/.test(word)),
  ]);
  const isKnown = [of, ofOther].every((found) => found?.[0] !== found?.[1]);
  return !isKnown || of?.[0] === ofOther?.[0];
}

/** "The hall at Oban was sold" says that the hall was; "Visitors from abroad paid" does not say that visitors did. */
function isSameSubject(wanted: Clause, own: Clause): boolean {
  if (wanted.ofSubject.length === 0 && own.ofSubject.length > 0)
    return (
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
const isPlace = ({ preposition }: Phrase) => /^(?:in|from|near|beside)$/.test(preposition);
const restricts = ({ words }: Phrase) => words.some((word) => RESTRICTING.has(word));

/** Reads to the end of the first clause. */
function readClause(all: readonly string[]): Clause {
  const end = all.findIndex((word, index) => index > 0 && ENDS.has(word));
  const whole = end < 0 ? all : all.slice(0, end);
  const words = whole.filter((word) => !isAdverb(word));
  const core: string[] = [];
  let ofSubject: Phrase[] = [];
  let phrases: Phrase[] = [];
  let isPassive = false;
  words.forEach((word, index) => {
    // "One firing lasts" is "a firing lasts".
    if (index === 0 && word === "one") return;
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
    adverbs: whole.filter(isAdverb).sort(),
    ofSubject,
    tense: readTense(words, core),
    isSingular: words.some((word) => /^(?:was|has|is)$/.test(word)) || isOne(words, core),
    isRough: words.some((word) => APPROXIMATE.has(word)),
    isEvent: isPassive || !words.some((word) => /^(?:was|were)$/.test(word)),
    hasAgent: isPassive && phrases.some(({ preposition }) => preposition === "by"),
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
    // "The first port for Debian was started by Ann" is "Ann started the first port for Debian".
    ofSubject: [],
    ofVerb: [...ofSubject, ...phrases.filter((phrase) => phrase !== agent)],
  };
}

/** "The library in Kesten lends": one thing, by its article and its verb. */
const isOne = (words: readonly string[], core: readonly string[]) =>
  words[0] === "the" && /[^s]s$/.test(core[1] ?? "") && !/s$/.test(core[0] ?? "s");

function readTense(words: readonly string[], core: readonly string[]): Clause["tense"] {
  if (words.includes("will")) return "future";
  const isPast =
    words.some((word) => /^(?:was|were|had|has|have|did)$/.test(word)) ||
    core.slice(1).some((word) => PARTICIPLE.test(word) || word === "cost" || isPastForm(word));
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
    return own.words.some((_, at) =>
      sameWords(claimed.words, own.words.slice(at, at + claimed.words.length)),
    );
  return own.preposition === claimed.preposition && sameWords(own.words, claimed.words);
}

export const isDate = (words: readonly string[]) =>
  words.length > 0 &&
  words.length <= 4 &&
  words.every(
    (word, index) =>
      MONTHS.has(word) || /^\d{1,2}$|^[12]\d{3}$/.test(word) || (index === 0 && /^\w{3,6}day$/.test(word)),
  ) &&
  words.some((word) => MONTHS.has(word) || /^[12]\d{3}$/.test(word));
