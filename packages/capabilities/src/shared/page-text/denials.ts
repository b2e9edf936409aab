import { setOf } from "./setOf.js";

export const NEGATIONS = setOf("not no never none neither nor nobody nothing nowhere hardly scarcely barely");
/** Words that deny a wording near them. */
export const DENIALS = setOf(
  "false falsely untrue incorrect incorrectly wrong wrongly mistaken mistakenly erroneous erroneously inaccurate",
  "deny denies denied denying denial refute refutes refuted refuting debunk debunks debunked disprove disproves",
  "disproved disproven dispute disputes disputed doubt doubts doubted doubtful unlikely reject rejects rejected",
  "contradict contradicts contradicted myth hoax misconception falsehood fiction nonsense pretend pretends pretended",
);
/** Denials of more than one word, over words joined by spaces. */
export const DENYING_PHRASE =
  /^(?:fake|bogus)(?= |$)|\b(?:an? lie|lies? that|lied (?:about|that|when)|contrary to|far from|instead of|rather than|(?:fail|refuse|cease)(?:s|d|ed)? to|unable to)\b/g;

export function countDenials(words: readonly string[]): number {
  // "Neither … nor" and "not … nor" deny once.
  const text = words
    .join(" ")
    .replaceAll(/\bnot only\b/g, "")
    .replaceAll(/(?<=\b(?:not|no|never|neither|nor)\b.*)\bnor\b/g, "");
  const single = text.split(" ").filter((word) => NEGATIONS.has(word) || DENIALS.has(word)).length;
  return single + (text.match(DENYING_PHRASE)?.length ?? 0);
}

export const isNegating = (word: string) => NEGATIONS.has(word) || DENIALS.has(word) || word === "without";
