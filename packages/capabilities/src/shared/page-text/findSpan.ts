import { NEGATIONS } from "./denials.js";
import { isOtherNumber, isSameNumber } from "./matchClause.js";
import { setOf } from "./setOf.js";
import { stemOf } from "./wordForms.js";
import { APPROXIMATE, isContent, isValue, MIN_SHARED_WORDS, MODALS, says } from "./wordKinds.js";

const PREPOSITIONS = setOf("of from in for at on by");

/** Words of a sentence, from the first to before the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export function findRun(words: readonly string[], run: readonly string[]): number {
  for (let at = 0; at + run.length <= words.length; at++)
    if (run.every((word, index) => says(words[at + index] ?? "", word))) return at;
  return -1;
}

/**
 * The span that holds all meaningful words of the claim in their order, with only small words between them. Two neighbours
 * may change places around a preposition: "shipyard fitters" and "fitters from the shipyard".
 */
export function findNear(words: readonly string[], claim: readonly string[]): Span | undefined {
  const wanted = claim.filter(isContent);
  if (wanted.length < MIN_SHARED_WORDS) return undefined;
  const places = words.flatMap((word, at) => (isContent(word) ? [at] : []));
  for (let start = 0; start + wanted.length <= places.length; start++) {
    const taken = places.slice(start, start + wanted.length);
    if (!isSameOrder(taken, words, claim)) continue;
    const [from = 0, last = 0] = [taken[0], taken.at(-1)];
    const inside = words.slice(from, last + 1);
    const isOther = (word: string, index: number) => isOtherNumber(word, words[taken[index] ?? 0] ?? "");
    if (!isNone(claim, inside) && wanted.slice(0, 2).some(isOther)) continue;
    if (!claim.includes("who") && /\bof (?:\S+ )*(?:who|which) /.test(inside.join(" "))) continue;
    if (claim.some(isApproximate) || !inside.some(isApproximate))
      if (sameTense(claim, inside)) return { from, to: last + 1 };
  }
  return undefined;
}

/** "No action is needed" is "no actions are needed". */
const isNone = (...both: readonly (readonly string[])[]) => both.every((words) => words[0] === "no");

const isApproximate = (word: string) => APPROXIMATE.has(word);

function isSameOrder(taken: readonly number[], words: readonly string[], claim: readonly string[]): boolean {
  const places = claim.flatMap((word, at) => (isContent(word) ? [at] : []));
  const wanted = places.map((at) => claim[at] ?? "");
  const wordAt = (index: number) => words[taken[index] ?? -1] ?? "";
  let swaps = 0;
  for (let index = 0; index < wanted.length; index++) {
    const between = words.slice((taken[index] ?? 0) + 1, taken[index + 1]);
    const claimed = claim.slice((places[index] ?? 0) + 1, places[index + 1]);
    if (isSame(wordAt(index), wanted[index] ?? "")) {
      if (index < wanted.length - 1 && !sameLink(between, claimed, wanted[index + 1] ?? "")) return false;
      continue;
    }
    const isOwner = wordAt(index).endsWith("'s") && claimed.includes("of");
    const isSwap =
      swaps === 0 &&
      isSame(wordAt(index), wanted[index + 1] ?? "") &&
      isSame(wordAt(index + 1), wanted[index] ?? "") &&
      isOwner !==
        (between.some((word) => PREPOSITIONS.has(word)) && !claimed.some((word) => PREPOSITIONS.has(word)));
    if (!isSwap) return false;
    swaps += 1;
    index += 1;
  }
  return true;
}

const LINKS = setOf("of from in into for at on by to with who which that");
/** Before a value these may be left out: "on Mondays", "in 1998", "fell by 5%". */
const LEFT_OUT = setOf("in on at by");

/** Whether two words hang together in the same way: "sold to Ann" is not "sold by Ann". */
function sameLink(between: readonly string[], claimed: readonly string[], next: string): boolean {
  const [own, wanted] = [between, claimed].map((words) =>
    words.filter((word) => LINKS.has(word)).map((word) => word.replace(/^wh(?:o|ich)$/, "that")),
  );
  const isEqual = own?.join() === wanted?.join();
  const isBeforeValue = isValue(next) && [...(own ?? []), ...(wanted ?? [])].length === 1;
  return (
    isEqual || (isBeforeValue && [...(own ?? []), ...(wanted ?? [])].every((word) => LEFT_OUT.has(word)))
  );
}

const isSame = (word: string, claimed: string) =>
  says(word, claimed) ||
  (!isValue(word) && !NEGATIONS.has(word) && !MODALS.has(word) && stemOf(word) === stemOf(claimed));

const JOINING = ["and", "or", "but", "to be", "to have"] as const;
const count = (words: readonly string[], phrase: string) =>
  ` ${words.join("  ")} `.split(` ${phrase.replace(" ", "  ")} `).length;

/** "Is" and "was" do not say the same. */
function sameTense(claim: readonly string[], words: readonly string[]): boolean {
  const tenses = (list: readonly string[]) =>
    [/^(?:is|are|am)$/, /^(?:was|were)$/, /^(?:will)$/].map((tense) => list.some((word) => tense.test(word)));
  const [one, other] = [tenses(claim), tenses(words)];
  // "Was to be sold" does not say "was sold", and "Ann met Bert and left" not that Bert left.
  const isJoined = JOINING.every((phrase) => count(claim, phrase) === count(words, phrase));
  return (
    isJoined &&
    (isNone(claim, words) || isSameNumber(claim, words)) &&
    one.every((has, index) => has === other[index])
  );
}
