import { sha256 } from "@assay/protocol";
import { compareWording } from "./compareWording.js";
import type { Relation } from "./judgeAround.js";
import { type Composed, listIntroduced, listRows, type TextBlock } from "./listComposed.js";
import { type Description, listDescribed, listDescriptions } from "./listDescribed.js";
import { listGoverned } from "./listGoverned.js";
import { isUnspaced, listSentences, type Sentence } from "./listSentences.js";
import { nameSubjects } from "./nameSubjects.js";
import type { PdfPlace } from "./pdfPages.js";
import { stemOf } from "./wordForms.js";
import { isContent, isValue } from "./wordKinds.js";

/**
 * A passage of the page that says, denies, hedges or reports a claim, in UTF-16 code units of the page text; or the nearest
 * one where none does, which a reader may find to say the same in other words.
 */
interface Passage extends Partial<PdfPlace> {
  readonly relation: Relation | "nearest";
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly quoteHash: string;
}

export interface ClaimCheck {
  readonly claim: string;
  readonly result: "supported" | "contradicted_wording_absent" | "not_found";
  /** The claim says so little that any page might hold its words, so nothing was searched for. */
  readonly isTooShort: boolean;
  readonly passages: readonly Passage[];
}

const MAX_OF_A_RELATION = 3;
const MAX_QUOTE_CHARACTERS = 600;
/** In words that carry meaning. In a script without spaces, two characters count as one word. */
const MIN_CONTENT = 2;

/** Words that stand on any page and make no claim by themselves. */
const COMMON: ReadonlySet<string> = new Set(
  [
    "a an the is are was were be been being am do does did done has have had will would can could may might must shall",
    "should of to in on at by for with from into over about out up down off and or but if that this these those it its as",
    "i you he she we they me him her us them my your his our their there here who what which when where how why then than",
    "not no yes never very so too also just only more most some any all each every such other own same again once now",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Compares the wording of a claim with that of a page, and nothing else. Each sentence of the claim is searched for
 * separately. Without `blocks` nothing is known of the page's headings and lists.
 */
export function checkClaim(claim: string, pageText: string, blocks: readonly TextBlock[] = []): ClaimCheck {
  const parts = listSentences(claim).map(({ words }) => words);
  if (!parts.some(saysSomething)) return { claim, result: "not_found", isTooShort: true, passages: [] };
  const sentences = listSentences(pageText);
  const page = {
    sentences,
    named: nameSubjects(sentences, pageText),
    introduced: listIntroduced(sentences, blocks),
    described: listDescriptions(sentences, pageText, blocks),
    governed: listGoverned(sentences, pageText, blocks),
    text: pageText,
  };
  const judged = parts.map((part) => [...judgePart(part, page), ...judgeComposed(part, page)]);
  const passages = judged
    .flat()
    .flatMap(({ relation, quoted }) => quoted.map((one) => toPassage(relation, one, pageText)));
  const nearest = passages.length > 0 ? undefined : findNearest(parts.flat(), sentences);
  if (nearest !== undefined) passages.push(toPassage("nearest", nearest, pageText));
  return {
    claim,
    result: conclude(judged),
    isTooShort: false,
    passages: RELATIONS.flatMap((relation) =>
      unique(passages.filter((passage) => passage.relation === relation)).slice(0, MAX_OF_A_RELATION),
    ),
  };
}

/** An introduction is quoted once for all of its items. */
const unique = (passages: readonly Passage[]) =>
  passages.filter(
    ({ start, end }, index) =>
      passages.findIndex((passage) => passage.start === start && passage.end === end) === index,
  );

const RELATIONS: readonly Passage["relation"][] = [
  "supports",
  "contradicts",
  "hedges",
  "attributes",
  "nearest",
];

function saysSomething(words: readonly string[]): boolean {
  const content = new Set(words.filter((word) => !COMMON.has(word)));
  return [...content].reduce((sum, word) => sum + (isUnspaced(word) ? 0.5 : 1), 0) >= MIN_CONTENT;
}

interface Judged {
  readonly relation: Relation;
  readonly quoted: readonly Sentence[];
}

function conclude(parts: readonly (readonly Judged[])[]): ClaimCheck["result"] {
  const has = (part: readonly Judged[], wanted: Relation) => part.some(({ relation }) => relation === wanted);
  if (parts.every((part) => has(part, "supports"))) return "supported";
  const isContradicted = parts.some((part) => !has(part, "supports") && has(part, "contradicts"));
  return isContradicted ? "contradicted_wording_absent" : "not_found";
}

interface Page {
  readonly sentences: readonly Sentence[];
  /** In place of sentences about "it", the same with the name of what they are about. */
  readonly named: readonly (Sentence | undefined)[];
  readonly introduced: readonly Composed[];
  readonly described: readonly Description[];
  readonly governed: ReturnType<typeof listGoverned>;
  readonly text: string;
}

const governedRelation = (relation: Relation, from: Sentence, { governed }: Page) =>
  relation === "supports" ? (governed.get(from) ?? relation) : relation;

function judgePart(claim: readonly string[], page: Page): Judged[] {
  const wanted = new Set(claim.filter((word) => isContent(word) && !isValue(word)).map(stemOf));
  return page.sentences.flatMap((from, index) => {
    const named = page.named[index];
    if (!sharesWords(wanted, (named ?? from).words)) return [];
    const next = page.sentences[index + 1];
    for (const sentence of [from, named]) {
      const relation = sentence && compareWording(claim, sentence, next);
      if (relation !== undefined)
        return [{ relation: governedRelation(relation, from, page), quoted: [sentence ?? from] }];
    }
    return [];
  });
}

/** What a list, a table or a description says by two of its places. They can only support or contradict. */
function judgeComposed(claim: readonly string[], page: Page): Judged[] {
  const composed = [
    ...page.introduced,
    ...listRows(claim, page.text),
    ...listDescribed(claim, page.described),
  ];
  return composed.flatMap(({ words, breaks, from }) => {
    const [first, second] = from;
    const relation = compareWording(claim, { ...first, text: "", words, breaks }, undefined);
    if (relation !== "supports" && relation !== "contradicts") return [];
    return [{ relation: governedRelation(relation, second, page), quoted: from }];
  });
}

/** With less than half of a claim's meaningful words a sentence neither says nor denies it. */
function sharesWords(wanted: ReadonlySet<string>, words: readonly string[]): boolean {
  const own = new Set(words.map(stemOf));
  return 2 * [...wanted].filter((word) => own.has(word)).length >= wanted.size;
}

/** The sentence with the most of the claim's meaningful words, if it has two of them. */
function findNearest(claim: readonly string[], sentences: readonly Sentence[]): Sentence | undefined {
  const wanted = new Set(claim.filter((word) => !COMMON.has(word)).map(stemOf));
  let best: { sentence: Sentence; shared: number } | undefined;
  for (const sentence of sentences) {
    const own = new Set(sentence.words.map(stemOf));
    const shared = [...wanted].filter((word) => own.has(word)).length;
    if (shared >= MIN_CONTENT && shared > (best?.shared ?? 0)) best = { sentence, shared };
  }
  return best?.sentence;
}

function toPassage(relation: Passage["relation"], { text, start }: Sentence, pageText: string): Passage {
  const end = start + Math.min(text.length, MAX_QUOTE_CHARACTERS);
  const quote = pageText.slice(start, end);
  return { relation, start, end, quote, quoteHash: hashText(quote) };
}

/** `sha256:` over the UTF-8 bytes of a text. */
export function hashText(text: string): string {
  return `sha256:${sha256(new TextEncoder().encode(text)).slice(2)}`;
}
