import { canonicalWords } from "./canonicalWords.js";
import { readWords, type Sentence } from "./listSentences.js";
import { ADVERBS, ENDS, isDate, PARTICIPLE, PREPOSITIONS, SMALL } from "./matchClause.js";
import { isContent, isValue, PAST, VERB } from "./wordKinds.js";

type Words = readonly string[];

/**
 * The clauses of a sentence as if each stood alone: each part, a subject with what is said of it between commas and behind them,
 * and each thing of several that are named together. "The firm, founded by Ann, employs nine" holds "the firm founded by Ann" and
 * "the firm employs nine"; "Ann sells eggs and milk" holds "Ann sells milk".
 */
export function listClauses({ text, words, breaks }: Pick<Sentence, "text" | "words" | "breaks">): Words[] {
  const starts = [...breaks].sort((one, other) => one - other);
  const parts = starts.map((start, index) => words.slice(start, starts[index + 1]));
  const said = parts.map((part) => (LINKS.test(part[0] ?? "") ? part.slice(1) : part));
  const plain = [...said, ...joinAside(parts), ...joinAdverb(parts)];
  const single = [
    ...plain,
    ...plain.flatMap(listJoined),
    ...plain.flatMap(swapJoined),
    ...plain.flatMap(listStates),
    ...listDated(parts),
  ];
  return [
    ...single,
    ...single.flatMap(listObjects),
    ...listNamed(parts, startOfObject),
    ...listNamed(parts, startOfPhrase),
    ...listNames(text),
    ...listCalled(parts),
    ...listWho(text),
    ...listDefined(text),
    ...listWhich(text),
    ...listAdded(text),
  ];
}

const DETERMINER = /^(?:the|an?|its|their|our|his|her|this|each|every|one)$/;

/** Words in front of a clause that is so beside another one. */
const LINKS = /^(?:since|because|although|though|while|whereas|and|but|so|yet)$/;

/** "Old and boring" is "boring and old". */
function swapJoined(part: Words): Words[] {
  const at = part.indexOf("and", 1);
  const [one = "", other = ""] = [part[at - 1], part[at + 1]];
  const isPair =
    at > 0 &&
    part.length > at + 1 &&
    [one, other].every((word) => isContent(word) && !isValue(word) && !VERB.test(word));
  return isPair ? [part.with(at - 1, other).with(at + 1, one)] : [];
}

/** "The files are open and documented" says that they are documented. */
function listStates(part: Words): Words[] {
  const at = part.lastIndexOf("and");
  const isState = /^(?:is|are|was|were)$/.test(part[at - 2] ?? "") && PARTICIPLE.test(part[at + 1] ?? "");
  return at > 1 && isState && part.length === at + 2
    ? [[...part.slice(0, at - 1), ...part.slice(at + 1)]]
    : [];
}

/** A subject with its aside, and without it. */
function joinAside(parts: readonly Words[]): Words[] {
  const [start = [], aside = [], rest = []] = parts;
  const [front, subject] = splitFront(start);
  const isNamed =
    /^(?:the|its|their|our|his|her)$/.test(subject[0] ?? "") ||
    (/^(?:an?|the)$/.test(aside[0] ?? "") && VERB.test(rest[0] ?? ""));
  if (parts.length < 3 || subject.length > MAX_SUBJECT || !isNamed || ENDS.has(rest[0] ?? "and")) return [];
  return [
    [...subject, ...rest, ...front],
    ...(PARTICIPLE.test(aside[0] ?? "") ? [[...subject, ...aside]] : []),
  ];
}

/** "Often, the keeper's wife served" with its adverb beside the rest. */
const joinAdverb = ([first = [], second = []]: readonly Words[]): Words[] =>
  first.length === 1 && ADVERBS.has(first[0] ?? "") ? [[...first, ...second]] : [];

/** "On a weekday the ferryman": the phrase in front, and what begins with the article behind it. */
function splitFront(part: Words): readonly [front: Words, rest: Words] {
  if (!PREPOSITIONS.has(part[0] ?? "")) return [[], part];
  const at = part.findLastIndex((word, index) => index >= 2 && index <= MAX_FRONT && DETERMINER.test(word));
  return at < 0 ? [[], part] : [part.slice(0, at), part.slice(at)];
}

/** "Each box holds nine cups and weighs a pound" holds "each box weighs a pound". Where the subject ends is tried. */
function listJoined(all: Words): Words[] {
  const [front, part] = splitFront(all);
  const at = part.indexOf("and");
  // "The sister of Bert and paid nurses": what is joined stands behind another verb.
  const isVerbBefore = part.slice(1, Math.max(at, 1)).some((word) => VERB.test(word));
  if (at < 0 || !VERB.test(part[at + 1] ?? "") || !isVerbBefore) return [];
  const ends = part.flatMap((word, index) => (index < at && !SMALL.has(word) ? [index + 1] : []));
  return ends
    .slice(0, MAX_SUBJECT_CONTENT)
    .map((end) => [...part.slice(0, end), ...nameObject(part.slice(end, at), part.slice(at + 1)), ...front]);
}

/** "Founded Debian in 1993 and led it" holds "led Debian". */
function nameObject(before: Words, after: Words): Words {
  const [verb = "", ...rest] = before;
  const end = rest.findIndex((word) => PREPOSITIONS.has(word));
  const object = rest.slice(0, end < 0 ? rest.length : end);
  const isNamed =
    VERB.test(verb) &&
    DETERMINER.test(object[0] ?? "") &&
    object.length <= MAX_ITEM &&
    !object.includes("of");
  const isOnly = !rest
    .slice(object.length)
    .some((word) => isContent(word) && !isValue(word) && !PREPOSITIONS.has(word));
  return after[1] === "it" && isNamed && isOnly ? [after[0] ?? "", ...object, ...after.slice(2)] : after;
}

/** "Ann sells nine eggs and some milk at the gate" holds "Ann sells nine eggs at the gate" and "Ann sells some milk at the gate". */
function listObjects(part: Words): Words[] {
  const at = part.indexOf("and");
  const start = startOfObject(part.slice(0, at));
  if (at < 0 || start === undefined || VERB.test(part[at + 1] ?? "")) return [];
  const end = endOfObject(part, at + 1);
  return [
    [...part.slice(0, at), ...part.slice(end)],
    [...part.slice(0, start), ...part.slice(at + 1)],
  ];
}

/** "The library lends drills, ladders and a mixer" holds "the library lends a mixer". */
function listNamed(parts: readonly Words[], startOf: typeof startOfObject): Words[] {
  const last = parts.findIndex((part, index) => index > 0 && part.includes("and"));
  const [first = []] = parts;
  const start = startOf(first);
  const between = parts.slice(1, Math.max(last, 1));
  const end = parts[last] ?? [];
  const at = end.indexOf("and");
  const items = [...between, end.slice(0, at), end.slice(at + 1, endOfObject(end, at + 1))];
  const isList = items.every(
    (item, index) =>
      item.length <= MAX_ITEM + (index === items.length - 1 ? 2 : 0) &&
      !item.some((word) => PREPOSITIONS.has(word)),
  );
  // "The tool lists files, reads and deletes": another verb, where no "will" or "can" asks for its plain form.
  const isVerb = VERB.test(end[at + 1] ?? "") && !first.some((word) => /^(?:will|can|may|must)$/.test(word));
  if (last < 0 || start === undefined || !isList || isVerb) return [];
  const tail = end.slice(endOfObject(end, at + 1));
  return [first.slice(start), ...items]
    .filter((item) => item.length > 0)
    .map((item) => [...first.slice(0, start), ...item, ...tail]);
}

/** Where the object behind a verb begins, if nothing but a verb stands before it: "a mix of" is no verb. */
function startOfObject(words: Words): number | undefined {
  let start = words.length - 1;
  while (start > 0 && words.length - start < MAX_ITEM && !/^\d/.test(words[start] ?? "")) {
    if (PREPOSITIONS.has(words[start] ?? "") || words[start] === "of") return undefined;
    if (DETERMINER.test(words[start] ?? "") || isVerbAt(words, start - 1)) break;
    start--;
  }
  return start > 0 && isVerbAt(words, start - 1) ? start : undefined;
}

/** Where a list behind a preposition begins: "compares it against A, B and C". */
function startOfPhrase(words: Words): number | undefined {
  const at = words.findLastIndex((word) => PREPOSITIONS.has(word));
  const isItem = at > 0 && at + 1 < words.length && words.length - at - 1 <= MAX_ITEM;
  return isItem && !words.slice(at + 1).some((word) => PAST.test(word)) ? at + 1 : undefined;
}

const isVerbAt = (words: Words, at: number) =>
  VERB.test(words[at] ?? "") || /^(?:will|can|may|must)$/.test(words[at - 1] ?? "");

function endOfObject(words: Words, from: number): number {
  const end = words.findIndex((word, index) => index > from && (PREPOSITIONS.has(word) || PLACES.test(word)));
  return end < 0 ? words.length : end;
}

const PLACES =
  /^(?:across|out|up|away|down|back|off|over|through|along|beside|behind|beyond|around|there|here)$/;

/** "The ferryman, Ilse Brandt, takes" says that Ilse Brandt is the ferryman; so does the name in front. */
const NAME = "(\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+){1,3})";
const ROLE =
  "(?:[Tt]he|[Ii]ts|[Tt]heir|[Oo]ur|an?) (?!(?:then|next|acting|former) )((?:(?!(?:the|an?|its|of|and|or) )\\p{Ll}[\\p{L}-]* ){0,3}\\p{Ll}[\\p{L}-]*)";
const ROLE_FIRST = new RegExp(`(?<=^|[^,] )${ROLE}, ${NAME}, (?!and |or |an? |the )`, "gu");
const NAME_FIRST = new RegExp(`(?<=^|[.;] |by |with )${NAME}, ${ROLE},? `, "gu");

export function listNames(text: string): Words[] {
  const isPast = wordsOf(text).some((word) => PAST.test(word));
  const pairs = [
    ...[...text.matchAll(ROLE_FIRST)].map(([, role = "", name = ""]) => [role, name] as const),
    ...[...text.matchAll(NAME_FIRST)].map(([, name = "", role = ""]) => [role, name] as const),
  ];
  return pairs.flatMap(([role, name]) => {
    const [what, who] = [wordsOf(role), wordsOf(name)];
    const verb = isPast ? "was" : "is";
    return [
      [...who, verb, "the", ...what],
      ["the", ...what, verb, ...who],
      ["the", ...what, verb, "called", ...who],
    ];
  });
}

const wordsOf = (text: string) => text.toLowerCase().split(" ");

/** "Ann Lee, who sold the mill, left" says that Ann Lee sold the mill; "the son of Ann Lee, who" leaves open which of them. */
const NAME_AND_WHO = new RegExp(`(?<=^|[.;,] |by |with )${NAME}, who ([^,.;:()]+)(?=[,.;]|$)`, "gu");
const listWho = (text: string) =>
  [...text.matchAll(NAME_AND_WHO)].map(([, name = "", deed = ""]) =>
    canonicalWords(readWords(`${name} ${deed}`)),
  );

/** "… to TSE2 which was written in May" says that of TSE2: a name stands for one thing, whatever is said of it. */
const NAME_AND_WHICH =
  /(?<=[^.!?] )((?:\p{Lu}[\p{L}\d.+#-]{0,40}|\p{L}{1,20}\p{Lu}[\p{L}\d]{0,20})(?: \([^()]{1,40}\))?(?: \p{Ll}{2,20})?),? (?:which|that) ((?:is|was|has|can|will|\p{Ll}{2,20}[^s\P{Ll}]s) [^,.;:()]{3,200})/gu;
const listWhich = (text: string) =>
  [...text.matchAll(NAME_AND_WHICH)].map(([, name = "", deed = ""]) =>
    canonicalWords(readWords(`${name.replace(/ \([^()]*\)/, "")} ${deed}`)),
  );

/** "This function (added in 2.5) reads" says that it was added in 2.5. */
const listAdded = (text: string) =>
  [
    ...text.matchAll(
      /^((?:This|The) [\w-]{2,30}(?: [\w-]{2,30})?) \((\w{3,20}ed (?:in|by|from|with|for) [^()]{1,60})\)/g,
    ),
  ].map(([, name = "", deed = ""]) =>
    canonicalWords(readWords(`the ${name.replace(/^\w+ /, "")} was ${deed}`)),
  );

/** "Opening time: 9:30", alone in its block, says what the opening time is. */
function listDefined(text: string): Words[] {
  const [, term = "", value = ""] = /^([^:\t\n]{3,50}): ((?:(?!: )[^\t\n]){1,60}?)\.?$/.exec(text) ?? [];
  const [what, is] = [term, value].map((part) => canonicalWords(readWords(part)));
  if (!what?.length || !is?.length || what.length > MAX_SUBJECT || is.length > MAX_SUBJECT) return [];
  return [[...what, /[^s]s$/.test(what.at(-1) ?? "") ? "are" : "is", ...is]];
}

/** "… the heap queue, also called the priority queue" says that the heap queue is called so. */
function listCalled(parts: readonly Words[]): Words[] {
  return parts.flatMap((part, index) => {
    const name = part[0] === "also" ? part.slice(1) : part;
    const before = parts[index - 1] ?? [];
    const start = before.findLastIndex((word) => /^(?:the|an?)$/.test(word));
    return name[0] === "called" && start >= 0 ? [[...before.slice(start), "is", ...name]] : [];
  });
}

const MAX_SUBJECT_CONTENT = 3;

/** "On 4 May 1902 the stone was laid" and "In 1902, the stone was laid", with the date behind. */
function listDated(parts: readonly Words[]): Words[] {
  const [first = [], second = []] = parts;
  if (!/^(?:in|on)$/.test(first[0] ?? "")) return [];
  const end = [4, 3, 2].find((length) => first.length >= length && isDate(first.slice(1, length)));
  if (end === undefined) return [];
  const rest = end < first.length ? first.slice(end) : second;
  return [[...rest, ...first.slice(0, end)]];
}

/** In words. A longer one is more likely a sentence of its own. */
const MAX_SUBJECT = 5;
const MAX_FRONT = 6;
const MAX_ITEM = 4;
