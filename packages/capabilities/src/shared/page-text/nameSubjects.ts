import { DESCRIBING } from "./listImplied.js";
import { readParts, type Sentence } from "./listSentences.js";
import { PREPOSITIONS } from "./matchClause.js";
import { isValue, VERB } from "./wordKinds.js";

const OTHER_THINGS = /\b(?:the|an?|its|their|his|her|our|this|that|these|those|another|one|each|it)\b/i;
const MAX_SUBJECT = 4;
/** What stands for the sentence must fit in one quotation. */
const MAX_CHARACTERS = 600;

/** What "it" means in the sentences behind one that names it, and where that one begins. */
interface Topic {
  readonly words: readonly string[];
  readonly start: number;
}

/**
 * For each sentence that is about "it", the same with the name of what it is about: "It was rebuilt" behind "The old mill burned
 * down" is "the old mill was rebuilt", with all sentences from the naming one on as its text. Undefined where the sentences before
 * name anything else that "it" can mean.
 */
export function nameSubjects(sentences: readonly Sentence[], pageText: string): (Sentence | undefined)[] {
  let topic: Topic | undefined;
  let end = 0;
  return sentences.map((sentence) => {
    if (pageText.slice(end, sentence.start).includes("\n")) topic = undefined;
    end = sentence.start + sentence.text.length;
    if (!/^It /.test(sentence.text)) {
      topic = sentence.isQuestion || sentence.text.includes("\n") ? undefined : readTopic(sentence);
      return undefined;
    }
    const named = topic && putName(sentence, topic, pageText);
    if (hasOtherThings(sentence.text.slice(3))) topic = undefined;
    return named;
  });
}

function putName(sentence: Sentence, { words: name, start }: Topic, pageText: string): Sentence | undefined {
  const text = pageText.slice(start, sentence.start + sentence.text.length);
  if (text.length > MAX_CHARACTERS) return undefined;
  const shift = (at: number) => (at === 0 ? 0 : at + name.length - 1);
  return {
    ...sentence,
    text,
    start,
    words: [...name, ...sentence.words.slice(1)],
    breaks: new Set([...sentence.breaks].map(shift)),
  };
}

const readTopic = (sentence: Sentence) => readThing(sentence) ?? readName(sentence);

/** "The old mill burned down": a single thing and nothing else. */
function readThing({ text, start, words, breaks }: Sentence): Topic | undefined {
  if (!/^The /.test(text)) return undefined;
  const aside = [...breaks].find((at) => at > 0) ?? words.length;
  const verb = words.findIndex((word, index) => index > 1 && VERB.test(word));
  const until = Math.min(aside, verb < 0 ? aside : verb);
  const subject = words.slice(1, until);
  const isOne =
    subject.length > 0 &&
    subject.length <= MAX_SUBJECT &&
    !/[^s]s$/.test(subject.at(-1) ?? "") &&
    !subject.some((word) => PREPOSITIONS.has(word) || word === "of" || word === "and" || isValue(word));
  if (!isOne || hasOtherThings(text.slice(4))) return undefined;
  const plain = subject.filter((word, index) => index === subject.length - 1 || !DESCRIBING.has(word));
  return { words: ["the", ...plain], start };
}

/** "Gri (a tool) is a language for graphs": a name, and what bears it. */
function readName({ text, start }: Sentence): Topic | undefined {
  const [all = "", name = ""] = NAMED.exec(text) ?? [];
  if (all === "" || hasOtherThings(text.slice(all.length))) return undefined;
  return { words: readParts(name).words, start };
}

const NAMED =
  /^((?!(?:The|This|That|These|There|It|He|She|A|An|Here|What|Who|One|Each) )\p{Lu}[\p{L}\d]*(?:[ -][\p{Lu}\d][\p{L}\d]*){0,2})(?: \([^()]{1,80}\))? (?:is|was) an? /u;

const hasOtherThings = (text: string) => OTHER_THINGS.test(text) || NAME.test(text);

/** A word in capitals that is no month and no weekday. */
const NAME =
  /(?<!^)\b(?!(?:January|February|March|April|May|June|July|August|September|October|November|December|\w+day)\b)\p{Lu}/u;
