import { isBound, isWithin } from "./bounds.js";
import { isNegating } from "./denials.js";
import { leaveOut } from "./listRelaxed.js";
import type { Sentence } from "./listSentences.js";
import { PARTICIPLE } from "./matchClause.js";
import { setOf } from "./setOf.js";
import { stemOf } from "./wordForms.js";
import { isNumber } from "./wordKinds.js";

/** Verbs behind which an exact number says how many or how much. */
const COUNTING =
  /^(?:is|are|was|were|has|have|had|holds?|held|costs?|weighs?|weighed|lasts?|lasted|takes?|took|measures?|measured|contains?|contained|carries|carried|employs?|employed|hired|sells?|sold|bought|built|made|earned|killed|lost|won|paid|opened|owns?|owned|seats?|covers?|covered|uses?|used|treats?|treated)$/;
/** Verbs that say that there is what they are followed by. */
const GIVING =
  /^(?:is|are|was|were|has|have|had|holds?|held|contains?|contained|sells?|sold|bought|built|builds|made|makes|opened|owns?|owned|keeps?|kept|uses?|used|found|founded|wrote|writes|shows?|lends?|lent|runs|ran|stands|stood|wears?|wore|drew|designed|created|discovered|by|with)$/;
/** What is left of a thing without these is the same thing: "a small bridge" is a bridge, "a toy bridge" is none. */
export const DESCRIBING = setOf(
  "small large big little tiny huge great long short tall wide narrow deep shallow round square heavy light",
  "red blue green yellow white black brown grey gray golden greenish reddish bluish orange purple pink",
  "new old ancient modern young famous well-known local national foreign beautiful simple single busy quiet popular rare",
  "arbitrary registered proprietary different distinct separate individual independent integrated modern traditional classic standard",
  "simple complex powerful flexible robust efficient fast slow portable lightweight additional extra important major minor main",
  "useful common typical special specific particular dedicated single central regional public annual official free original",
  "wooden stone brick concrete iron steel copper silver glass plastic electric digital electronic mechanical medieval historic",
  "rich poor strong weak warm cold hot dry wet clean bright dark deep loud quiet heavy sharp soft hard smooth rough thick thin",
  "danish dutch english french german greek irish italian norwegian polish russian scottish spanish swedish swiss welsh",
);

/**
 * What a sentence says less exactly too: "is 45 metres high" says "is more than 40 metres high", and "a small bridge" says "a
 * bridge". Only behind verbs by which a larger statement holds the smaller one, and never for a claim that denies.
 */
export function listImplied(claim: readonly string[], sentence: Sentence): Sentence[] {
  if (claim.some(isNegating)) return [];
  const loose = loosenNumber(claim, sentence);
  return [
    loose,
    leaveOutAdjectives(claim, loose ?? sentence),
    leaveOutDeed(claim, sentence),
    leaveOutDelay(claim, sentence),
    leaveOutSpecified(claim, sentence),
  ].filter((one) => one !== undefined);
}

/** With the claim's bound in place of the exact number that is within it. */
function loosenNumber(claim: readonly string[], sentence: Sentence): Sentence | undefined {
  const { words } = sentence;
  const at = claim.findIndex(isBound);
  const [verb = "", bound = ""] = [claim[at - 1], claim[at]];
  // "More than 50 people came" says that at least 40 did.
  const isFirst =
    at === 0 && /^[≥>]/.test(bound) && isBound(words[0] ?? "") && isWithin(words[0] ?? "", bound);
  if (isFirst && words[0] !== bound) return { ...sentence, words: words.with(0, bound) };
  if (at < 1 || !COUNTING.test(verb) || claim.slice(at + 1).some(isBound)) return undefined;
  const place = words.findIndex(
    (word, index) =>
      word !== bound &&
      isWithin(word, bound) &&
      stemOf(words[index - 1] ?? "") === stemOf(verb) &&
      !/^(?:to|or|and)$/.test(words[index + 1] ?? ""),
  );
  return place < 0 ? undefined : { ...sentence, words: words.with(place, bound) };
}

function leaveOutAdjectives(claim: readonly string[], sentence: Sentence): Sentence | undefined {
  const { words, breaks } = sentence;
  const left = new Set<number>();
  words.forEach((word, index) => {
    const isFirst =
      (/^an?$/.test(word) && GIVING.test(words[index - 1] ?? "")) || (GIVING.test(word) && index > 0);
    if (
      !isFirst &&
      !(isNumber(word) && /^(?:different|distinct|separate|individual)$/.test(words[index + 1] ?? ""))
    )
      return;
    let next = index + 1;
    while (DESCRIBING.has(words[next] ?? "") && !claim.includes(words[next] ?? "") && !breaks.has(next))
      left.add(next++);
  });
  return left.size === 0 ? undefined : leaveOut(left, sentence);
}

/** "Was planned and built by Ann" says "was built by Ann". */
function leaveOutDeed(claim: readonly string[], sentence: Sentence): Sentence | undefined {
  const { words, breaks } = sentence;
  const at = words.findIndex(
    (word, index) =>
      word === "and" &&
      PARTICIPLE.test(words[index + 1] ?? "") &&
      claim.includes(words[index + 1] ?? "") &&
      !breaks.has(index) &&
      !breaks.has(index + 1),
  );
  const verb = at < 0 ? -1 : words.findLastIndex((word, index) => index < at && /^(?:was|were)$/.test(word));
  const [deed = "", particle, ...more] = words.slice(verb + 1, at);
  const isDeed = PARTICIPLE.test(deed) && more.length === 0 && /^(?:of|for|on|up|out)?$/.test(particle ?? "");
  if (verb < 0 || !isDeed) return undefined;
  return leaveOut(new Set([...words.keys()].filter((index) => index > verb && index <= at)), sentence);
}

/** A length of time, which is one word with its unit. */
const LENGTH = /^[\d.]+[a-z]+$/;
const AWAY = /^(?:later|earlier|ago|afterwards|before)$/;

/** "Was rebuilt two years later by Ann" says "was rebuilt by Ann". */
function leaveOutDelay(claim: readonly string[], sentence: Sentence): Sentence | undefined {
  const { words } = sentence;
  const at = words.findIndex((word, index) => LENGTH.test(word) && AWAY.test(words[index + 1] ?? ""));
  const isEvent = at > 0 && words.slice(0, at).some((word) => /^(?:was|were)$/.test(word));
  return isEvent && !claim.some((word) => AWAY.test(word))
    ? leaveOut(new Set([at, at + 1]), sentence)
    : undefined;
}

/** "Fails if the flag is set for the specified file" says "fails if the flag is set": a call concerns what it is given. */
function leaveOutSpecified(claim: readonly string[], sentence: Sentence): Sentence | undefined {
  const { words, breaks } = sentence;
  const at = words.findIndex(
    (word, index) =>
      /^(?:specified|given|passed|supplied|corresponding|respective)$/.test(word) &&
      /^(?:the|an?)$/.test(words[index - 1] ?? "") &&
      /^(?:for|of|in|to|from|on|by|with|at)$/.test(words[index - 2] ?? ""),
  );
  if (at < 2 || claim.includes(words[at] ?? "")) return undefined;
  const stop = words.findIndex(
    (word, index) =>
      index > at &&
      (breaks.has(index) ||
        (!isNumber(word) && /^(?:and|or|if|when|with|in|to|for|of|by|is|are|from|on|at)$/.test(word))),
  );
  const end = stop < 0 ? words.length : stop;
  if (end - at > 4) return undefined;
  return leaveOut(new Set(Array.from({ length: end - at + 2 }, (_, index) => at - 2 + index)), sentence);
}
