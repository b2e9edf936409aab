import type { Composed, TextBlock } from "./listComposed.js";
import { leaveOutBrackets } from "./listRelaxed.js";
import { readParts, type Sentence } from "./listSentences.js";
import { PARTICIPLE } from "./matchClause.js";
import { leaveOutKinds } from "./nameTypes.js";
import { SAYS } from "./openWords.js";
import { stemOf } from "./wordForms.js";
import { VERB } from "./wordKinds.js";

type Words = readonly string[];

/** A name that stands alone before what is said of it: a heading, a term, the first line of a function. */
interface Naming {
  readonly names: readonly Words[];
  /** "pitch = 1". */
  readonly value: Words;
  readonly sentence: Sentence;
}

/** What is said of a named thing without its name: "Removes a file", "This function …", "Default value: 3". */
export interface Description {
  readonly of: readonly Naming[];
  readonly sentence: Sentence;
  /** As it stands on the page. */
  readonly from: Sentence;
}

const MAX_NAME = 6;
const MAX_SIGNATURE_CHARACTERS = 300;
/** Headings of the parts of a description, which name no thing of their own. */
const PARTS =
  /^(?:parameters?|returns?|return values?|arguments?|descriptions?|detailed description|examples?|notes?|see also|remarks?|details|synopsis|usage|syntax|since|throws|exceptions?|flags|options|errors|attributes|default|values?|declaration)(?: details)?:?(?: ?\[\w+\])?$/i;

/** The sentences of a page that describe something whose name stands before them, each with that name. */
export function listDescriptions(
  sentences: readonly Sentence[],
  pageText: string,
  blocks: readonly TextBlock[],
): Description[] {
  const kindAt = new Map(blocks.map(({ start, kind }) => [start, kind]));
  const found: Description[] = [];
  let title: Naming | undefined;
  let section: Naming[] = [];
  let run: Naming[] = [];
  let isRunning = false;
  let isFirst = false;
  let key = "";
  for (const one of sentences) {
    // "Inherits:" and what stands in the next block.
    const sentence =
      key === "" || kindAt.get(one.start) === "heading" ? one : { ...one, text: `${key} ${one.text}` };
    const end = one.start + one.text.length;
    const begins = one.start === 0 || pageText.slice(one.start - 2, one.start) === "\n\n";
    const ends = end >= pageText.length || pageText.startsWith("\n\n", end);
    const isKeyed = key !== "" && ends;
    key = begins && ends && /^\p{Lu}[^:\n\t]{1,39}:$/u.test(one.text) ? one.text : "";
    const isHeading = begins && kindAt.get(sentence.start) === "heading";
    const own = begins && ends && (isHeading || isNaming(sentence.text)) ? readNaming(sentence) : undefined;
    if (own !== undefined) {
      if (!isRunning) run = [];
      if (isHeading && !PARTS.test(sentence.text)) {
        title ??= own;
        // A heading ends what the names before it are about.
        run = [];
        section = [own];
      }
      run.push(own);
      isRunning = true;
      isFirst = true;
      // "Default value: 3" names nothing.
      if (!isKeyed && (!/^[^:]{2,40}: \S/.test(sentence.text) || KIND_IN_FRONT.test(sentence.text))) continue;
    }
    isRunning = own !== undefined;
    const lines = /\t/.test(sentence.text)
      ? sentence.text.replace(/:?\t/, ": ").split("\n")
      : sentence.text.split("\n");
    const about = unique([...run.filter((naming) => naming !== own), ...section]);
    if (
      own === undefined &&
      begins &&
      !isHeading &&
      (lines.length > 1 || /^[^\t]{2,40}:\t/.test(sentence.text))
    )
      for (const line of lines)
        if (/^[\p{Lu}][^:\t]{1,40}: \S/u.test(line))
          found.push({ of: about, sentence: { ...sentence, text: line, ...readParts(line) }, from: one });
    const parted = begins && !isHeading ? partTerm(sentence) : [];
    if (parted.length > 0) {
      const [term, ...said] = parted;
      run = [readNaming({ ...sentence, text: term ?? "" }, sentence)];
      isFirst = true;
      for (const text of said)
        found.push({ of: run, sentence: { ...sentence, text, ...readParts(text) }, from: one });
      continue;
    }
    const nearest = run.length > 0 ? run : section;
    const isThis = /^(?:This|The) /.test(sentence.text);
    const of = unique([
      ...nearest.filter((one) => one !== own),
      ...(isThis || isFirst || own !== undefined ? section : []),
      ...(isThis && title !== undefined ? [title] : []),
    ]);
    if (of.length > 0 && !sentence.isQuestion && (isFirst || !/^(?:It|They) /.test(sentence.text)))
      found.push({ of, sentence, from: one });
    // Behind a sentence about something else, "it" is something else.
    if (own === undefined && !isAboutName(sentence)) isFirst = false;
    if (ends && own === undefined && !isHeading) section = section.length > 0 ? section : run;
  }
  return found;
}

const KIND_IN_FRONT =
  /^(?:user |environment |special )?(?:variable|function|macro|option|command|method|class|property|type|signal|constant|module|procedure|syntax|primitive):\s+/i;

/** The cells of a row, or a term and what stands behind its dash or colon. */
function partTerm({ text }: Sentence): string[] {
  if (text.includes("\t"))
    return text
      .split(/[\t\n]/)
      .map((cell) => cell.trim())
      .filter((cell) => cell !== "");
  const [, term, said] = /^([^\t\n:]{1,50}?)(?: -{1,2} | [–—] |: )(\S[\s\S]{5,400})$/.exec(text) ?? [];
  return term === undefined || said === undefined || term.split(" ").length > 4 ? [] : [term, said];
}

const unique = <T>(list: readonly T[]) => [...new Set(list)];

const isNaming = (text: string) =>
  (!text.includes("\t") || text.includes("(\t")) &&
  text.length <= MAX_SIGNATURE_CHARACTERS &&
  !/[.!?…]["'”’)]*$/.test(text) &&
  (text.split(/\s+/).length <= MAX_NAME || /^[^.!?]*\w\s*\(|^(?:val|def|type|class|let)\s/.test(text));

const isAboutName = ({ words, text }: Sentence) =>
  /^(?:This|It|They|Note that|The (?:function|method|class|type|option|command|property|signal|value|default))\b/.test(
    text,
  ) ||
  /^[a-z]+s$/.test(words[0] ?? "") ||
  PARTICIPLE.test(words[0] ?? "");

function readNaming(sentence: Sentence, from = sentence): Naming {
  const text = leaveOutKinds(sentence.text.replace(/^[^\p{L}\p{N}$@%_.-]+/u, ""))
    .replace(/^(?:chapter |section )?\d+(?:[.-]\d+)*\.?\s+/i, "")
    .replace(KIND_IN_FRONT, "")
    .replaceAll(/\[(?:\d+\/\d+|src|source|edit)\]/g, "");
  const [, called = ""] = /([\w.:~#$@%*!?-]{0,80}\w[!?]?)\s?\(/.exec(text) ?? [];
  const [, declared = ""] =
    /^(?:(?:val|def|let|const|class|type|function|static|public|property|method)\s+)*([\w.$@%/-]+)\s*(?:[:=—–]|\t|$)/.exec(
      text,
    ) ?? [];
  const [, quoted = ""] = /[“"‘`]([^“”"‘’`]{1,60})[”"’`]/.exec(text) ?? [];
  const [first = ""] = text.split(" ");
  const last = (called || first).split(/::|[.#]/).at(-1) ?? "";
  const [, typed = ""] =
    /^(\S+) (?:(?:\S+ )?Type|Class(?: Reference)?|Module|Package|Functions?|Property)$/.exec(text) ?? [];
  const whole = text.split(/\s+/).length <= MAX_NAME ? text : "";
  const names = [whole, called, last, declared, quoted, typed].map((name) => readParts(name).words);
  const isNew = (name: Words, index: number) =>
    name.length > 0 && names.findIndex((other) => other.join(" ") === name.join(" ")) === index;
  const [, value = ""] = /^[\w.$-]{1,60} = (\S{1,40})$/.exec(text) ?? [];
  return {
    names: names
      .filter(isNew)
      .map(dropArticle)
      .filter((name) => name.length > 0),
    value: readParts(value).words,
    sentence: from,
  };
}

const dropArticle = (words: Words) => (/^(?:the|an?)$/.test(words[0] ?? "") ? words.slice(1) : words);

/** What descriptions say of the thing that a claim is about. */
export function listDescribed(claim: Words, descriptions: readonly Description[]): Composed[] {
  return descriptions.flatMap(({ of, sentence, from }) =>
    [sentence, leaveOutBrackets(sentence) ?? []].flat().flatMap((sentence) =>
      of.flatMap((naming) =>
        naming.names.flatMap((name) => {
          const at = findName(claim, name);
          if (at < 0) return [];
          const rest = claim.slice(at + name.length);
          const subject = KIND.test(rest[0] ?? "") ? [...name, rest[0] ?? ""] : name;
          return [
            ...listSaid(subject, rest, sentence),
            ...(naming.value.length > 0 && isThingAlone(sentence.words)
              ? [[...sentence.words, "is", ...naming.value]]
              : []),
          ].map(
            (words): Composed => ({
              words,
              breaks: new Set([0, ...breaksOf(words, sentence)]),
              from: [naming.sentence, from],
            }),
          );
        }),
      ),
    ),
  );
}

const KIND =
  /^(?:function|method|procedure|macro|class|type|interface|signal|property|attribute|parameter|argument|option|switch|flag|command|variable|field|constant|keyword|directive|setting|module|package|program|tool|utility|library|operator|event|element|tag|object)$/;

const FRONT =
  /^(?:bydefault(?: the)?|the|an?|(?:the )?(?:function|method|macro|class|type|signal|property|parameter|argument|option|switch|flag|command|variable|field|constant|keyword|directive|setting|module|format|key|code|value|token|symbol|letter|character|state|mode|status|action|event|tag|attribute)|(?:the |an? )?(?:\w+ ){1,3}(?:of|for)(?: the)?)?$/;

/** Where a claim's subject, or what its subject belongs to, is this name. */
function findName(claim: Words, name: Words): number {
  const at = claim.findIndex((_, start) => name.every((word, index) => claim[start + index] === word));
  const front = claim.slice(0, Math.max(at, 0)).join(" ");
  return FRONT.test(front) ? at : -1;
}

/** Where the sentence's own parts begin, counted from the end, where both have the same words. */
const breaksOf = (words: Words, sentence: Sentence) =>
  [...sentence.breaks]
    .map((at) => at + words.length - sentence.words.length)
    .filter((at) => {
      const own = at - words.length + sentence.words.length;
      return at > 1 && own > 0 && [0, 1].every((back) => sentence.words[own - back] === words[at - back]);
    });

const THING =
  /^(?:(?:this|the) (?:function|method|procedure|macro|routine|class|type|interface|signal|property|attribute|parameter|argument|option|switch|flag|command|variable|field|constant|keyword|directive|setting|module|package|program|tool|utility|library|operator|event|element|tag|object|program|page|section|widget|plugin|filter|script|file)|this (?!(?:is|can|will|must|may|should|does|has|was|means|allows|makes|lets|causes|year|week|month|time|case|way|version|example)\b)[a-z]+(?= (?:is|are|was|has|can|will|must|may|should|does|do|[a-z]+[^s]s) )|it|they|this) /;
const FINITE = /^(?:is|are|was|were|has|have|can|will|must|may|should|do|does|did)$/;

/** The sentences with the name in them that a description stands for. */
function listSaid(name: Words, rest: Words, sentence: Sentence): Words[] {
  const { words, text } = sentence;
  const keyed = listKeyed(name, text);
  const isKeyOnly = /^[^\s:]+(?: [^\s:]+){0,3}:\s/.test(text);
  if (isKeyOnly) return keyed;
  if (words[0] === "bydefault" && words.length > 2) {
    const own = {
      ...sentence,
      text: text.replace(/^by default,? /i, ""),
      words: words.slice(1),
      breaks: new Set([0]),
    };
    return listSaid(name, rest, own).flatMap((one) => [
      ["bydefault", ...one],
      [...one, "bydefault"],
    ]);
  }
  const predicates: Words[] = [];
  const [first = "", second = ""] = words;
  const thing = THING.exec(`${words.join(" ")} `)?.[0];
  const verb = rest.find((word) => VERB.test(word) && !FINITE.test(word)) ?? "";
  if (thing !== undefined) predicates.push(words.slice(thing.trim().split(" ").length));
  else if (
    isThingAlone(words) &&
    (/^(?:the|an?)$/.test(first) || !VERB.test(first) || meansOf(rest).length > 0) &&
    !isThird(first, verb)
  )
    predicates.push(...["is", "are", ...meansOf(rest)].map((means) => [...means.split(" "), ...words]));
  else if (SAYS.test(first) || FINITE.test(first)) return [];
  else if (isThird(first, verb)) predicates.push([verb, ...words.slice(1)]);
  else if (PARTICIPLE.test(first) || /^(?:optional|obsolete|available)$/.test(first))
    predicates.push(["is", ...words]);
  else if (/^[a-z]{2,}s$/.test(first) && !FINITE.test(second)) predicates.push(words);
  // "…, returning NULL" says that it returns NULL.
  const later = [...sentence.breaks].flatMap((at) => {
    const tail = words.slice(at);
    return at > 0 && /ing$/.test(tail[0] ?? "") && stemOf(tail[0] ?? "") === stemOf(verb)
      ? [[verb, ...tail.slice(1)]]
      : [];
  });
  const plain = predicates.flatMap((own) => {
    const will = own.indexOf("will");
    return will >= 0 && isThird(own[will + 1] ?? "", verb) ? [own.toSpliced(will, 2, verb)] : [];
  });
  const said = [...predicates, ...plain, ...later].map((one) => [...name, ...one]);
  return [...keyed, ...said];
}

const isThingAlone = (words: Words) => words.length > 0 && !words.some((word) => FINITE.test(word));

/** How a claim says what something is, if not by "is". */
function meansOf(rest: Words): string[] {
  const [found] =
    /^(?:(?:gives?|means?|denotes?|represents?|specifies|indicates?|describes?|defines?|contains?|holds?|shows?)(?= )|(?:stands? for|refers? to)(?= ))/.exec(
      rest.slice(KIND.test(rest[0] ?? "") ? 1 : 0).join(" "),
    ) ?? [];
  return found === undefined ? [] : [found];
}

/** "Remove" beside "removes". */
const isThird = (verb: string, third: string) =>
  verb !== third && [`${verb}s`, `${verb}es`, verb.replace(/y$/, "ies")].includes(third);

/** "Default value: 3", "Since: 0.16" and "(default: 3)". */
function listKeyed(name: Words, text: string): Words[] {
  const [, chosen] =
    /(?:^|[([;,.] ?)(?:(?:the|its) )?defaults?(?: value| setting)?(?: is|:| =| to)? (?!is\b)([^\s()[\]]{1,40}?)(?:[)\]]|\.?$)/i.exec(
      text,
    ) ?? [];
  if (chosen !== undefined) return listDefaults(name, readParts(chosen).words);
  const [, key = "", value = ""] = /^([^:\t\n]{2,40})(?::\s|\t|:\t)\s*([^\t\n]{1,80}?)\.?$/.exec(text) ?? [];
  const [what, is] = [key, value].map((part) => readParts(part).words);
  if (!what?.length || !is?.length || what.length > 4 || is.length > 8) return [];
  if (/^(?:available )?since$/i.test(key)) return SINCE.map((said) => [...name, ...said.split(" "), ...is]);
  return [
    ["the", ...what, "of", "the", ...name, "is", ...is],
    ["the", ...what, "for", "the", ...name, "is", ...is],
    [...name, "has", "a", ...what, "of", ...is],
    ...(VERB.test(what.at(-1) ?? "") ? [[...name, ...what, ...is]] : []),
  ];
}

const SINCE = [
  "is available since",
  "is available since version",
  "has been available since",
  "has been available since version",
  "was added in",
  "was added in version",
  "was introduced in",
  "was introduced in version",
];

const listDefaults = (name: Words, is: Words): Words[] =>
  is.length === 0
    ? []
    : [
        ["the", "default", "of", "the", ...name, "is", ...is],
        ["the", "default", "value", "of", "the", ...name, "is", ...is],
        ["the", "default", "for", "the", ...name, "is", ...is],
        ["the", "default", "value", "for", "the", ...name, "is", ...is],
        [...name, "defaults", "to", ...is],
        [...name, "is", ...is, "bydefault"],
        [...name, "has", "a", "default", "of", ...is],
      ];
