import { isNegating } from "./denials.js";
import type { Sentence } from "./listSentences.js";
import { PARTICIPLE } from "./matchClause.js";
import { isPastForm, stemOf } from "./wordForms.js";
import { isContent } from "./wordKinds.js";

type Words = readonly string[];

const ANYBODY = /^(?:we|you|one|i|users|user|people|everybody|everyone|anyone)$/;
const MODAL = /^(?:can|may|must|should|could|will)$/;
const MAX_OBJECT = 8;

/** "We use a cache when it rains" as "a cache is used when it rains", where a claim does not say who does it. */
export function listVoiced(claim: Words, sentence: Sentence): Sentence[] {
  const be = claim.findIndex((word) => /^(?:is|are|was|were|be)$/.test(word));
  const deed = claim[be + 1] ?? "";
  if (be < 1 || !PARTICIPLE.test(deed) || claim.includes("by")) return [];
  const modal = claim[be] === "be" && MODAL.test(claim[be - 1] ?? "") ? claim[be - 1] : undefined;
  const subject = claim.slice(0, modal === undefined ? be : be - 1);
  if (subject.length > MAX_OBJECT || subject.some(isNegating)) return [];
  const { words } = sentence;
  return words.flatMap((verb, at) => {
    if (!isSameDeed(verb, deed) || words[at - 1] === "to") return [];
    // "During tests, use values below 9": what a manual asks for should be done.
    if (
      (at === 0 || sentence.breaks.has(at)) &&
      modal === "should" &&
      !/(?:ed|ing|s)$/.test(verb) &&
      at <= 5
    ) {
      const until = endOfObject(subject, words, at + 1);
      return until === undefined
        ? []
        : [
            {
              ...sentence,
              words: [
                ...words.slice(at + 1, until),
                "should",
                "be",
                deed,
                ...words.slice(until),
                ...words.slice(0, at),
              ],
              breaks: new Set([0]),
            },
          ];
    }
    const isModal = MODAL.test(words[at - 1] ?? "");
    const who = at - (isModal ? 2 : 1);
    if (!ANYBODY.test(words[who] ?? "")) return [];
    const own = isModal ? words[at - 1] : undefined;
    const isPast = isPastForm(verb) || /ed$/.test(verb);
    if (own !== modal || (modal === undefined && isPast !== /^w/.test(claim[be] ?? ""))) return [];
    const end = endOfObject(subject, words, at + 1);
    if (end === undefined) return [];
    const said = [
      ...words.slice(0, who),
      ...words.slice(at + 1, end),
      ...claim.slice(subject.length, be + 2),
      ...words.slice(end),
    ];
    return [{ ...sentence, words: said, breaks: sentence.breaks }];
  });
}

/** "Use" is too short to have a stem in common with "used". */
const isSameDeed = (verb: string, deed: string) =>
  stemOf(verb) === stemOf(deed) || deed === `${verb}d` || deed === `${verb}ed`;

/** Where the words that a claim begins with end behind a verb. */
function endOfObject(subject: Words, words: Words, from: number): number | undefined {
  const wanted = subject.filter(isContent).map(stemOf);
  if (wanted.length === 0) return undefined;
  let found = 0;
  for (let at = from; at < words.length && at < from + subject.length + 2; at++) {
    const word = words[at] ?? "";
    if (!isContent(word)) continue;
    if (stemOf(word) !== wanted[found]) return undefined;
    found += 1;
    if (found === wanted.length) return at + 1;
  }
  return undefined;
}

/** "The tool is a program that reads files" as "the tool reads files". */
export function listThat(claim: Words, { words, ...sentence }: Sentence): Sentence[] {
  const is = words.findIndex((word) => /^(?:is|are|was|were)$/.test(word));
  const that = words.findIndex((word, at) => at > is && /^(?:that|which|who)$/.test(word));
  const between = words.slice(is + 1, that);
  const isThing =
    is > 0 &&
    that > is &&
    between.length <= 5 &&
    /^(?:an?|the|one)$/.test(between[0] ?? "") &&
    !between.some((word) => /^(?:of|for|in|to|by|with|from|on|at)$/.test(word));
  const isDeed = /^(?:can|will|must|may|has|have|is|are|was|were)$|[^s]s$|ed$/.test(words[that + 1] ?? "");
  const [subject = "", deed = ""] = [words[is - 1], words[that + 1]];
  const isClaimed = claim.some(
    (word, at) => word === subject && stemOf(claim[at + 1] ?? "") === stemOf(deed),
  );
  if (!isThing || !isDeed || !isClaimed || between.some(isNegating)) return [];
  const shift = that + 1 - is;
  return [
    {
      ...sentence,
      words: [...words.slice(0, is), ...words.slice(that + 1)],
      breaks: new Set(
        [...sentence.breaks].filter((at) => at <= is || at > that).map((at) => (at > that ? at - shift : at)),
      ),
    },
  ];
}

/** Adverbs that mean the same wherever they stand. Those that say how often or how surely something is so are none of them. */
const isMovable = (word: string) =>
  /^(?:also|still|already|now|currently|thus|therefore)$/.test(word) ||
  (/^\w{3,}ly$/.test(word) &&
    !/^(?:only|early|likely|unlikely|hardly|scarcely|barely|nearly|possibly|probably|usually|normally|generally|partly|partially|mostly|mainly|largely|rarely|previously|formerly|originally|initially|occasionally|frequently|supposedly|allegedly|apparently|seemingly|potentially|roughly|approximately|apply|supply|reply|family|assembly|july|daily|weekly|monthly|yearly|multiply|imply|rely|fly|theoretically|temporarily|optionally|conditionally)$/.test(
      word,
    ));

/** A claim and a sentence without an adverb that both have, wherever it stands. */
export function leaveOutAdverb(
  claim: Words,
  sentence: Sentence,
): readonly [claim: Words, sentence: Sentence] | undefined {
  const at = claim.findIndex(isMovable);
  const word = claim[at] ?? "";
  const own = sentence.words.indexOf(word);
  if (at < 0 || own < 0 || sentence.words.lastIndexOf(word) !== own || claim.lastIndexOf(word) !== at)
    return undefined;
  if ([...claim, ...sentence.words].some(isNegating)) return undefined;
  return [
    claim.toSpliced(at, 1),
    {
      ...sentence,
      words: sentence.words.toSpliced(own, 1),
      breaks: new Set([...sentence.breaks].map((start) => (start > own ? start - 1 : start))),
    },
  ];
}

/** A claim with "may" for "can", or the other way round: of what is denied they do not say the same. */
export function exchangeCan(claim: Words): Words | undefined {
  const at = claim.findIndex((word) => /^(?:can|may)$/.test(word));
  if (at < 0 || claim.some(isNegating)) return undefined;
  return claim.with(at, claim[at] === "can" ? "may" : "can");
}
