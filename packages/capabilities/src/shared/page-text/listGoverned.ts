import { isNegating } from "./denials.js";
import type { TextBlock } from "./listComposed.js";
import type { Sentence } from "./listSentences.js";

/** Headings under which statements are quoted in order to be denied, or are made up. */
const UNTRUE =
  /\b(?:myths?|misconceptions?|falsehoods?|hoax(?:es)?|fallac(?:y|ies)|untruths?|lies|rumou?rs?|fiction(?:al)?|legends?|satire|hypothetical|april fools?|wrong answers?|(?:false|incorrect|wrong) (?:claims?|statements?|beliefs?|assumptions?))\b/i;
/** Sentences before a colon by which somebody else says what follows, or which leave open what of it holds. */
const OPEN =
  /\b(?:says?|said|claims?|claimed|argues?|argued|believes?|believed|rumou?rs?|allegations?|assumptions?|if|unless|would|might|one of|any of|either|examples? of)\b/i;
const MAX_HEADING_WORDS = 12;
/** Blocks that one heading or introduction governs at most, where the page's own headings and lists do not end it before. */
const MAX_BLOCKS = 12;
/** Fewer behind "one of:" and the like, where no list of the page follows. */
const MAX_CHOICES = 2;
const CHOICE = /\b(?:if|unless|one of|any of|either|examples? of)\b/i;

const WHOLE = /^["“«][^"“”«»]+["”»]$/;
const OPENING = /[“«]|(?<=^|\s)"/g;
const CLOSING = /[”»]|"(?=\s|$|[.,;!?])/g;

/**
 * The sentences that stand under a heading or behind an introduction that denies them, makes them up or lets somebody else say them:
 * "Common myths about bats" and "The following is not included:"; and those of a quotation of several sentences.
 */
export function listGoverned(
  sentences: readonly Sentence[],
  text: string,
  structure: readonly TextBlock[],
): ReadonlyMap<Sentence, "hedges" | "attributes"> {
  const governed = new Map<Sentence, "hedges" | "attributes">();
  let isQuoted = false;
  const kindAt = new Map(structure.map(({ start, kind }) => [start, kind]));
  let isOpen = false;
  let isList = false;
  let most = MAX_BLOCKS;
  let blocks = 0;
  for (const [index, sentence] of sentences.entries()) {
    const end = sentence.start + sentence.text.length;
    const begins = sentence.start === 0 || text.slice(sentence.start - 2, sentence.start) === "\n\n";
    const ends = end >= text.length || text.startsWith("\n\n", end);
    if (begins) blocks += 1;
    const kind = begins ? kindAt.get(sentence.start) : undefined;
    if (kind === "heading" || (isList && kind === "other")) isOpen = false;
    const isIntroduction = ends && /:$/.test(sentence.text);
    const isHeading =
      begins && ends && !/[.!?…:]["'”’)]*$/.test(sentence.text) && sentence.words.length <= MAX_HEADING_WORDS;
    const opens = isIntroduction
      ? sentence.words.join(" ").replaceAll("with or without", "").split(" ").some(isNegating) ||
        UNTRUE.test(sentence.text) ||
        OPEN.test(sentence.text)
      : isHeading && UNTRUE.test(sentence.text);
    if (isOpen && blocks <= most) governed.set(sentence, "hedges");
    if (begins) isQuoted = false;
    const marks = (sentence.text.match(OPENING)?.length ?? 0) - (sentence.text.match(CLOSING)?.length ?? 0);
    if (isQuoted || marks > 0 || WHOLE.test(sentence.text)) governed.set(sentence, "attributes");
    if (marks !== 0) isQuoted = marks > 0;
    if (opens) {
      isOpen = true;
      most = isIntroduction && CHOICE.test(sentence.text) ? MAX_CHOICES : MAX_BLOCKS;
      isList = kindAt.get(sentences[index + 1]?.start ?? -1) === "item";
      if (isList) most = MAX_BLOCKS;
      blocks = 0;
    } else if (isIntroduction || blocks > MAX_BLOCKS) isOpen = false;
  }
  return governed;
}
