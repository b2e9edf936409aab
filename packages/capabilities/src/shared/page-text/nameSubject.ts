import { DESCRIBING } from "./listImplied.js";
import type { Sentence } from "./listSentences.js";
import { PREPOSITIONS } from "./matchClause.js";
import { isValue, VERB } from "./wordKinds.js";

const OTHER_THINGS = /\b(?:the|an?|its|their|his|her|our|this|that|these|those|another|one|each|it)\b/i;
const MAX_SUBJECT = 4;

/**
 * "It was rebuilt" behind "The old mill burned down" as "the old mill was rebuilt", with both sentences as its text. Undefined where
 * the sentence before names anything else that "it" can mean.
 */
export function nameSubject(sentence: Sentence, before: Sentence, pageText: string): Sentence | undefined {
  if (!/^It /.test(sentence.text) || !/^The /.test(before.text) || before.isQuestion) return undefined;
  const end = sentence.start + sentence.text.length;
  const text = pageText.slice(before.start, end);
  if (sentence.start < before.start + before.text.length || text.includes("\n\n")) return undefined;
  const aside = [...before.breaks].find((at) => at > 0) ?? before.words.length;
  const verb = before.words.findIndex((word, index) => index > 1 && VERB.test(word));
  const until = Math.min(aside, verb < 0 ? aside : verb);
  const subject = before.words.slice(1, until);
  const isOne =
    subject.length > 0 &&
    subject.length <= MAX_SUBJECT &&
    !/[^s]s$/.test(subject.at(-1) ?? "") &&
    !subject.some((word) => PREPOSITIONS.has(word) || word === "of" || word === "and" || isValue(word));
  const rest = before.text.slice(4);
  const hasOther = OTHER_THINGS.test(rest) || NAME.test(rest);
  if (!isOne || hasOther) return undefined;
  const plain = subject.filter((word, index) => index === subject.length - 1 || !DESCRIBING.has(word));
  const words = ["the", ...plain, ...sentence.words.slice(1)];
  const shift = (at: number) => (at === 0 ? 0 : at + plain.length);
  return { ...sentence, text, start: before.start, words, breaks: new Set([...sentence.breaks].map(shift)) };
}

/** A word in capitals that is no month and no weekday. */
const NAME =
  /(?<!^)\b(?!(?:January|February|March|April|May|June|July|August|September|October|November|December|\w+day)\b)\p{Lu}/u;
