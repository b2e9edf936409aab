import { readNumber } from "./readNumber.js";
import { rephrase } from "./rephrase.js";

/** Words with one notation for each number: "seven" is 7, "2.1 million" 2100000, "two thirds" 2/3, "45 percent" 45%. */
export function canonicalWords(spelled: readonly string[]): string[] {
  const words = rephrase(spelled);
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const [before, skipped] = readBound(words, at);
    const read = readNumber(words, at + skipped);
    if (read === undefined) {
      found.push(words[at] ?? "");
      continue;
    }
    const end = at + skipped + read.length;
    const [after, taken] = before === "" ? readBoundAfter(words, end) : ["", 0];
    const sign = before === "" ? after : before;
    // "Rose by 5%" and "rose 5%" are one statement.
    if (found.at(-1) === "by" && read.text.endsWith("%")) found.pop();
    // "From 5 euros" names the lowest price.
    const isFrom = sign === "" && found.at(-1) === "from" && isMoney(read.text) && !isRange(words, end);
    if (isFrom) found.pop();
    found.push(`${isFrom ? "≥" : sign}${read.text}`);
    at = end + taken - 1;
  }
  return found;
}

const isMoney = (text: string) => /^[$€£¥]/.test(text);
const isRange = (words: readonly string[], at: number) => /^(?:to|until|till)$/.test(words[at] ?? "");

const BOUNDS: readonly (readonly [phrase: readonly string[], sign: string])[] = [
  ["at least", "≥"],
  ["no less than", "≥"],
  ["not less than", "≥"],
  ["no fewer than", "≥"],
  ["more than", ">"],
  ["greater than", ">"],
  ["larger than", ">"],
  ["longer than", ">"],
  ["higher than", ">"],
  ["older than", ">"],
  ["over", ">"],
  ["above", ">"],
  ["exceeding", ">"],
  ["at most", "≤"],
  ["up to", "≤"],
  ["no more than", "≤"],
  ["not more than", "≤"],
  ["fewer than", "<"],
  ["less than", "<"],
  ["smaller than", "<"],
  ["shorter than", "<"],
  ["lower than", "<"],
  ["younger than", "<"],
  ["under", "<"],
  ["below", "<"],
].map(([phrase = "", sign = ""]) => [phrase.split(" "), sign] as const);
const BOUNDS_AFTER: readonly (readonly [phrase: readonly string[], sign: string])[] = [
  ["or more", "≥"],
  ["or over", "≥"],
  ["or older", "≥"],
  ["or above", "≥"],
  ["or higher", "≥"],
  ["and over", "≥"],
  ["and above", "≥"],
  ["or less", "≤"],
  ["or fewer", "≤"],
  ["or under", "≤"],
  ["or younger", "≤"],
  ["or lower", "≤"],
  ["and under", "≤"],
].map(([phrase = "", sign = ""]) => [phrase.split(" "), sign] as const);

const findBound = (bounds: typeof BOUNDS, words: readonly string[], at: number) =>
  bounds.find(([phrase]) => phrase.every((word, index) => words[at + index] === word));

/** "At least 40" is not 40: a bound becomes part of the number behind it. */
function readBound(words: readonly string[], at: number): readonly [sign: string, length: number] {
  const [phrase, sign] = findBound(BOUNDS, words, at) ?? [];
  return [sign ?? "", phrase?.length ?? 0];
}

/** The same for "40 or more". */
function readBoundAfter(words: readonly string[], at: number): readonly [sign: string, length: number] {
  const [phrase, sign] = findBound(BOUNDS_AFTER, words, at) ?? [];
  return [sign ?? "", phrase?.length ?? 0];
}
