import { isApart } from "./bounds.js";
import { countDenials, isNegating, NEGATIONS } from "./denials.js";
import type { Sentence } from "./listSentences.js";
import { setOf } from "./setOf.js";
import { stemOf } from "./wordForms.js";
import {
  CONJUNCTIONS,
  isContent,
  isNumber,
  isValue,
  MIN_SHARED_WORDS,
  says,
  VALUE_CLASSES,
} from "./wordKinds.js";

/** Subjects that are left open: "somebody lives here" and "nobody lives here" are about the same thing. */
const OPEN_SUBJECTS = setOf(
  "somebody someone anybody anyone everybody everyone people something anything everything one",
);
const ANTONYMS: ReadonlyMap<string, string> = new Map(
  [
    "rise fall,increase decrease,more fewer,more less,above below,before after,first last,open close,win lose,allow forbid",
    "north south,east west,gain lose,buy sell,higher lower,up down,all none,with without,largest smallest,highest lowest",
    "longer shorter,faster slower,cheaper dearer,older younger,larger smaller,bigger smaller,better worse,early late,hot cold",
    "optional mandatory,optional required,inside outside,always never,enable disable,include exclude,possible impossible",
    "legal illegal,empty full,public private,maximum minimum,left right,top bottom,internal external,same different",
    "success failure,arrive depart,accept reject,free paid,shortest longest,oldest newest,fastest slowest,warm cold,true false",
    "synchronous asynchronous,ascending descending,upper lower,day night",
  ]
    .join(",")
    .split(",")
    .flatMap((pair) => {
      const [one = "", other = ""] = pair.split(" ").map(stemOf);
      return [
        [one, other],
        [other, one],
      ] as const;
    }),
);

/** "Documented" and "undocumented" too. */
const areOpposites = (one: string, other: string) =>
  ANTONYMS.get(one) === other || isDenying(one, other) || isDenying(other, one);
const isDenying = (one: string, other: string) => {
  const front = one.endsWith(other) ? one.slice(0, -other.length) : "";
  if (/^(?:un|non)$/.test(front)) return other.length > 3;
  return /^(?:in|im|ir|dis)$/.test(front) && DENIED_BY_FRONT.has(other);
};
/** "Import" is no opposite of "port". */
const DENIED_BY_FRONT: ReadonlySet<string> = new Set(
  [
    "complete correct valid visible active direct dependent definite finite accurate equal possible proper mutable mature regular",
    "relevant rational reversible compatible consistent sensitive significant efficient appropriate capable connect allow",
    "agree appear like continue honest similar",
  ].flatMap((line) => line.split(" ").map(stemOf)),
);

/** Whether these words repeat the claim's with another value or an opposite, or with a negation on one side only. */
export function isOpposed(claim: readonly string[], { words, breaks }: Sentence): boolean {
  const isMeaningful = (word: string) =>
    isContent(word) && !isNegating(word) && !OPEN_SUBJECTS.has(word) && !isValue(word);
  const wanted = claim.filter(isMeaningful).map(stemOf);
  const others = claim.some((word) => isValue(word) || OPEN_SUBJECTS.has(word) || isNegating(word)) ? 1 : 0;
  const agreed = claim.filter((word) => isValue(word) && words.includes(word)).length;
  if (wanted.length === 0 || wanted.length + agreed < MIN_SHARED_WORDS - 1) return false;
  let found = 0;
  let opposites = 0;
  const opposed = new Set<string>();
  let first = -1;
  let last = -1;
  words.forEach((word, index) => {
    const stem = stemOf(word);
    const isOpposite = areOpposites(wanted[found] ?? "", stem);
    if (found >= wanted.length || (stem !== wanted[found] && !isOpposite)) return;
    if (isOpposite) {
      opposites += 1;
      for (const side of [word, ...claim.filter((own) => stemOf(own) === wanted[found])]) opposed.add(side);
    }
    if (first < 0) first = index;
    last = index;
    found += 1;
  });
  if (found < wanted.length) return false;
  // A "no" between them is about them, even where they are few.
  const isDenied = words.slice(first, last).some(isNegating);
  if (
    wanted.length + agreed < MIN_SHARED_WORDS - others &&
    !(isDenied && last - first < MIN_SHARED_WORDS + 1)
  )
    return false;
  // A little more than the words themselves, for the number or the "not" beside them.
  let end = last + 1;
  while (
    end < last + 6 &&
    !breaks.has(end) &&
    !ENDS.test(words[end] ?? "and") &&
    !INSTEAD.test(words[end] ?? "")
  )
    end++;
  const near = words.slice(startOfNear(words, first, breaks), end);
  if (near.length > 2 * claim.length + 8) return false;
  const isAgreed = claim.some(isNumber) && claim.filter(isValue).every((value) => near.includes(value));
  // "Is closed" and "is not open" agree. "Rejected" is the opposite of "accepted" and no denial of it besides.
  const countOthers = (list: readonly string[]) => countDenials(list.filter((word) => !opposed.has(word)));
  if (opposites > 0 && countOthers(near) % 2 !== countOthers(claim) % 2) return false;
  if (opposites > 0) return opposites === 1 && (wanted.length >= MIN_SHARED_WORDS || isAgreed);
  if (VALUE_CLASSES.some((isOfClass) => hasOtherValue(claim.filter(isOfClass), near.filter(isOfClass))))
    return true;
  const inside = words.slice(startOfNear(words, first, breaks), last + 1);
  const isWithout = inside.includes("without") !== claim.includes("without");
  const isOdd = countDenials(near) % 2 !== countDenials(claim) % 2;
  return isOdd !== isWithout;
}

/** A little more in front too, and as far as a "no" that denies several: "no fee or payment is required". */
function startOfNear(words: readonly string[], first: number, breaks: ReadonlySet<number>): number {
  let start = first;
  while (
    start > Math.max(first - MAX_BEFORE, 0) &&
    !breaks.has(start) &&
    !ENDS.test(words[start - 1] ?? "and")
  )
    start--;
  const negation = words.findIndex((word, at) => at >= start && at < first && NEGATIONS.has(word));
  return Math.min(Math.max(first - 3, 0), negation < 0 ? first : negation);
}

const MAX_BEFORE = 7;
/** "Takes a value instead of a word" denies something else. */
const INSTEAD = /^(?:instead|rather)$/;

/** A condition behind it is about something else. */
const ENDS = new RegExp(`^(?:${[...CONJUNCTIONS, "if", "unless"].join("|")})$`);

const hasOtherValue = (claimed: readonly string[], stated: readonly string[]) =>
  claimed.some((value) => {
    const others = stated.filter((own) => kindOf(own) === kindOf(value));
    return (
      others.length > 0 &&
      others.every((own) => (isNumber(value) ? isOtherAmount(own, value) : stemOf(own) !== stemOf(value)))
    );
  });

function isOtherAmount(own: string, value: string): boolean {
  if (says(own, value) || says(value, own)) return false;
  const [one, other] = [own, value].map(shareOf);
  // "Two thirds" is about 67 percent.
  if (one !== undefined && other !== undefined) return Math.abs(one - other) > 2;
  return isApart(own, value) || !/^[≥>≤<]/.test(own + value);
}

const shareOf = (value: string) => {
  const [, part, whole] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
  if (whole !== undefined) return (100 * Number(part)) / Number(whole);
  return /^\d+(?:\.\d+)?%$/.test(value) ? Number(value.slice(0, -1)) : undefined;
};

/** A year says nothing against a day, nor a percentage against a length. */
function kindOf(value: string): string {
  if (!isNumber(value)) return "name";
  if (/^[12]\d{3}$/.test(value)) return "year";
  return value.replace(/^[^a-z%/]*/, "").replace(/^\/\d+$/, "%");
}
