const TIME = "second|minute|hour|day|night|week|month|year";
const UNIT = `second|minute|hour|day|week|month|year|decade|century|mile|kilometre|kilometer|metre|meter|litre|liter`;

/** Phrases that say the same as another one in every sentence, each with the other one. */
const PHRASES: readonly (readonly [phrase: RegExp, plain: string])[] = [
  [/ (?:a|one) single /g, " one "],
  [/ (?:does|do|did) not (?:have|need) to | need(?:s|ed)? not (?:to )?/g, " not must "],
  [/ (?:has|have|needs|need) to (?!do )/g, " must "],
  [/ (?:is|are) (not )?able to /g, " can $1"],
  [/ (?:is|are) (not )?(?:allowed|permitted) to /g, " may $1"],
  [/ (?:is|are) capable of (?=\w+ing )/g, " can "],
  [/ each (?=(?!other |of )[a-z])/g, " every "],
  [new RegExp(` (once|twice|\\w+ times) (?:each|every|per) (${TIME}) `, "g"), " $1 a $2 "],
  [/ (?:has|have) the (?:ability|capability|capacity) to /g, " can "],
  [/ (?<! (?:is|are|was|were|be|been|being|get|gets|got|not|can|may))(?<= \w+ )used (?=for )/g, ""],
  [/ made available /g, " available "],
  [
    / (?:by )?(?<! (?:when|while|before|after|without|of|for|if|is|are|was|were|be|start|starts|started|stop|stops|avoid|consider|recommend|try) )(?<=\w )using (?=\w)/g,
    " with ",
  ],
  [/ it is (not )?(?:also )?possible to /g, " you can $1"],
  // Lengths of time from year to year.
  [/ (?:between|from) ([12]\d{3}) (?:and|to|until) ([12]\d{3}) /g, " $1 $2 "],
  [/ (?:one|users|the user|we|people) can (?!be )/g, " you can "],
  // "Lets you choose", "allows to choose" and "allows choosing".
  [
    / (?:lets?|allows?|enables?|permits?) (?:you|one|us|(?:the |its )?(?:users?|developers?|programmers?|applications?|programs?|clients?)|people) (?:to )?(?=[a-z]+ )/g,
    " allows ",
  ],
  [/ (?:allows?|permits?) to (?=[a-z])/g, " allows "],
  [/ makes? it possible (?:for (?:you|users|the user) )?to /g, " allows "],
  [
    / (is|are|was|were|be|can|may) only (be )?(\w+(?:ed|en|wn)|available|valid|possible|useful|relevant|present|necessary) (?=(?:for|in|on|by|with|when|if|at|to|from|under|after|before|within|until) )/g,
    " $1 $2$3 only ",
  ],
  [/ within (?=(?:the|an?|its|their|this) )/g, " in "],
  [/ (check(?:s|ed|ing)?|tests?|determines?|indicates?|sees?) if (?=\w)/g, " $1 whether "],
  [/ another (?=\w)| any other /g, " other "],
  [/ an? (?:large|great) (?:number|amount) of | lots of | a lot of /g, " many "],
  [/ (?:so as|in such a way as) to /g, " to "],
  [/ at this time | at (?:the )?present | at the moment | right now /g, " now "],
  [/ (?:with respect|with regard|in regard) to | regarding | concerning /g, " about "],
  [/ (?:despite|in spite of) the fact that | even though /g, " although "],
  [/ (?:is|are) (?:composed|made up) of /g, " consist of "],
  [/ (?:is|are) (?:located|situated) (?=(?:in|at|on|near) )/g, " is "],
  [/ (?:known|referred to|named) as /g, " called "],
  [/ (?:that|which|who) (?:is|are|was|were) (?=called |\w+ed (?:as|at|by|from|in|on|to|with) )/g, " "],
  [
    / (?<! (?:of|in|to|for|with|by|so|says?|said|means?|ensures?|is|was|are|were|know|knows|those|all) )(?<=\w )(?:that|which) (?:is|are|was|were) (?!(?:not|no|never|the|an?|to|only|also|all|both|it|they|this|what|then|where|why|how) )(?=[a-z]+ )/g,
    " ",
  ],
  [/ provid(?:e|es|ed|ing) an? implementation of /g, " implements "],
  [/ ma(?:ke|kes|de) use of /g, " uses "],
  [/ as well as /g, " and "],
  [/ in order to /g, " to "],
  [/ (?:owing to|on account of|due to) /g, " because of "],
  [/ prior to /g, " before "],
  [/ all of (the|its|their|his|her|our) /g, " all $1 "],
  [/ without any /g, " without "],
  [/ whether or not /g, " regardless "],
  // Negations.
  [/ does not have (?:an?|any) /g, " has no "],
  [/ do not have (?:an?|any) /g, " have no "],
  [/ did not have (?:an?|any) /g, " had no "],
  [/ (is|are|was|were) not (?:an?|any) /g, " $1 no "],
  [/ does not (\w+) any /g, " $1s no "],
  [/ do not (\w+) any /g, " $1 no "],
  [/ did not (\w+) any /g, " did $1 no "],
  [/ lacks (?:an?|any) /g, " has no "],
  [/ lack (?:an?|any) /g, " have no "],
  [/ with no (?!longer |more |fewer |less )/g, " without "],
  [/ (?:is|are) unable to /g, " can not "],
  [/ (?:is|are) (?:forbidden|prohibited|banned) (?:to|from) /g, " may not "],
  [/ failed to /g, " did not "],
  [/ fails to /g, " does not "],
  // Amounts.
  [/ in excess of /g, " more than "],
  [/ an? minimum of /g, " at least "],
  [/ an? maximum of /g, " at most "],
  [/ half an hour | half hour /g, " 0.5 hours "],
  [/ three quarters of an hour /g, " 45 minutes "],
  [/ an? quarter of an hour /g, " 15 minutes "],
  [new RegExp(` half an? (${UNIT}|dozen|hundred|thousand|million|billion) `, "g"), " 0.5 $1 "],
  [new RegExp(` an? (${UNIT}) and a half `, "g"), " 1.5 $1 "],
  [/ an? (?=(?:dozen|hundred|thousand|million|billion|trillion) )/g, " 1 "],
  [/ an? (third|quarter|fifth|tenth) of /g, " one $1 of "],
  [/ by an? (third|quarter|fifth|tenth) /g, " by one $1 "],
  [/ (?:an?|one) fortnight /g, " 14 days "],
  // Rates and lengths of time.
  [new RegExp(` (for|within|after|takes?|took|lasts?|lasted) an? (${UNIT}) `, "g"), " $1 1 $2 "],
  [new RegExp(` (?:per|an) (${TIME}) `, "g"), " a $1 "],
  [new RegExp(` (\\S*\\d\\S*(?: \\S+){0,2}) (?:each|every) (${TIME}) `, "g"), " $1 a $2 "],
  [new RegExp(` once a (${TIME}) `, "g"), " 1 time a $1 "],
  [new RegExp(` twice a (${TIME}) `, "g"), " 2 times a $1 "],
  [/ per annum /g, " a year "],
  [/ twice (?!as |the |that )/g, " 2 times "],
  // Manners.
  [/ by default /g, " bydefault "],
  [/ manually /g, " by hand "],
  [/ (?:free of (?:charge|cost)|at no (?:extra )?(?:cost|charge)|without charge|for free) /g, " free "],
  [/ (?:up until|till) /g, " until "],
  [/ (while|among)st /g, " $1 "],
  [/ upon /g, " on "],
];

/** The longest run of letters that each alternative of a pattern needs, outside of its groups; undefined where one needs none. */
function hintsOf({ source }: RegExp): readonly string[] | undefined {
  let depth = 0;
  let plain = "";
  for (const [at, sign] of [...source].entries()) {
    if (sign === ")") depth -= 1;
    if (depth === 0) plain += /[a-z |]/.test(sign) && !/[?*\\[]/.test(source[at + 1] ?? "") ? sign : "#";
    if (sign === "(") depth += 1;
  }
  const hints = plain
    .replaceAll(/\[[^\]]*\]/g, "#")
    .split("|")
    .map((one) => (one.match(/[a-z]{3,}/g) ?? []).sort((a, b) => b.length - a.length)[0]);
  if (hints.every((hint) => hint !== undefined)) return hints;
  // " (?:has|have) to ": one of the words that it begins with.
  const [, first] = /^ \((?:\?:)?([a-z |?]+)\) (?!.*\|.* \|)/.exec(source) ?? [];
  return plain.includes("|")
    ? undefined
    : first?.split("|").map((word) => ` ${word.replaceAll(/[a-z]\?/g, "")}`);
}

const HINTED = PHRASES.map(([phrase, plain]) => ({ phrase, plain, hints: hintsOf(phrase) }));

/** Says the same in one way, so that what differs between two sentences is what they say. */
export function rephrase(words: readonly string[]): readonly string[] {
  const text = ` ${words.join(" ")} `;
  const plain = HINTED.reduce(
    (changed, { phrase, plain: other, hints }) =>
      hints === undefined || hints.some((hint) => changed.includes(hint))
        ? changed.replaceAll(phrase, other)
        : changed,
    text,
  );
  return plain === text ? words : plain.trim().split(" ");
}
