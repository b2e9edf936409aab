import { setOf } from "./setOf.js";

const MONTHS = setOf(
  "january february march april maymonth june july august september october november december",
);
const WEEKDAYS = setOf(
  "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays",
);
const ORDINALS = setOf(
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth",
  "sixteenth seventeenth eighteenth nineteenth twentieth twentyfirst thirtieth",
);
export const isNumber = (word: string) => /^[≥>≤<]?-?[$€£¥]?\p{N}/u.test(word);
export const VALUE_CLASSES = [
  isNumber,
  (word: string) => MONTHS.has(word),
  (word: string) => WEEKDAYS.has(word),
  (word: string) => ORDINALS.has(word),
] as const;
/** Words of which another one of the same class contradicts. */
export const isValue = (word: string) => VALUE_CLASSES.some((isOfClass) => isOfClass(word));
/** Whether a word of the page states a word of the claim. A claim without a currency sign leaves the currency open. */
export const says = (word: string, claimed: string) =>
  word === claimed ||
  (word === "never" && claimed === "not") ||
  (/^-?[$€£¥]/.test(word) && word.replace(/[$€£¥]/, "") === claimed);

/** Words that begin an independent part of a sentence. */
export const CONJUNCTIONS = setOf(
  "and but so yet because while although though whereas however since as or when where",
);
/** Words in which two sentences may differ and still be about the same thing. */
const FILLERS = setOf(
  "a an the is are was were be been being am do does did has have had will of to in on at by for with from into and or",
  "that this these those it its as their his her our your my there then also which who",
);
export const APPROXIMATE = setOf("about some around approximately roughly nearly almost circa");
/** Whether a word carries meaning. */
export const isContent = (word: string) => !FILLERS.has(word) && !APPROXIMATE.has(word);
/** Words that a claim and a page must share, or the one says more than the other. */
export const MODALS = setOf("may might can could should would must will shall only always ever");
/** Fewer common words do not show that two sentences are about the same thing. */
export const MIN_SHARED_WORDS = 3;
/** A word that is a verb, or a plural. */
export const VERB =
  /^(?:is|are|was|were|has|have|can|will|must|may)$|^(?!(?:its|this|his|as|us)$)[a-z]{3,}(?:s|ed)$|^(?:took|fell|rose|grew|went|came|sold|built|made|held|kept|led|won|lost|found|left|sent|paid|ran|became|began|brought|bought|broke|saw|wrote|gave|stood|spoke|drove|chose|met|put|cut|set|hit|got|take|lend|sell|keep|hold|make|give|run|use|show|boil|burn|return)$/;
/** A verb by which something happened once. */
export const PAST =
  /^(?:was|were|had|has|did)$|^\w{2,}ed$|^(?:took|fell|rose|grew|went|came|sold|built|bought|made|held|kept|led|won|lost|found|left|sent|paid|ran|became|began|brought|gave|broke|saw|wrote|drew|knew|met|spoke|stood|chose|drove|flew|sank|struck|said|spent|taught)$/;
