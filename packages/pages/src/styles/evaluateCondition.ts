import { both, type Certainty, either, opposite, PERHAPS } from "./certainty.js";
import { splitSpaces } from "./splitCss.js";

/** Of nested brackets; no real condition has more. */
const MAX_DEPTH = 16;

/** Evaluates a condition of `not`, `and`, `or` and brackets; `evaluateFeature` gets the innermost brackets, or a function. */
export function evaluateCondition(
  text: string,
  evaluateFeature: (feature: string) => Certainty,
  depth = 0,
): Certainty {
  if (depth > MAX_DEPTH) return PERHAPS;
  // `and(` and `not(` would be functions.
  const words = splitSpaces(
    text.replaceAll(/\)(and|or)\b/gi, ") $1").replaceAll(/\b(and|or|not)\(/gi, "$1 ("),
  );
  let result: Certainty | undefined;
  let join: typeof both = both;
  let isNegated = false;
  for (const word of words) {
    const lower = word.toLowerCase();
    if (lower === "and") join = both;
    else if (lower === "or") join = either;
    else if (lower === "not") isNegated = !isNegated;
    else {
      const inside = /^\((.*)\)?$/s.exec(word)?.[1]?.replace(/\)$/, "").trim();
      const isGroup =
        inside !== undefined && /^(\(|not[\s(]|[-\w]+\()/i.test(inside) && !/^[-\w]+\s*:/.test(inside);
      const own = isGroup
        ? evaluateCondition(inside, evaluateFeature, depth + 1)
        : evaluateFeature(inside ?? word);
      const term = isNegated ? opposite(own) : own;
      result = result === undefined ? term : join(result, term);
      isNegated = false;
    }
  }
  return result ?? PERHAPS;
}
