const TIME = "second|minute|hour|day|night|week|month|year";
const UNIT = `second|minute|hour|day|week|month|year|decade|century|mile|kilometre|kilometer|metre|meter|litre|liter`;

/** Phrases that say the same as another one in every sentence, each with the other one. */
const PHRASES: readonly (readonly [phrase: RegExp, plain: string])[] = [
  [/ (?:a|one) single /g, " one "],
  [/ (?:does|do|did) not (?:have|need) to | need(?:s|ed)? not (?:to )?/g, " not must "],
  [/ (?:has|have|needs|need) to (?!do )/g, " must "],
  [/ (?:is|are) (not )?able to /g, " can $1"],
  [/ (?:is|are) (not )?(?:allowed|permitted) to /g, " may $1"],
  [/ (?:known|referred to|named) as /g, " called "],
  [/ (?:that|which|who) (?:is|are|was|were) (?=called |\w+ed (?:as|at|by|from|in|on|to|with) )/g, " "],
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
  [/ (do|does|did) not (\w+) any /g, " $1 $2 no "],
  [/ with no (?!longer |more |fewer |less )/g, " without "],
  [/ (?:is|are) unable to /g, " can not "],
  [/ (?:is|are) (?:forbidden|prohibited|banned) (?:to|from) /g, " may not "],
  [/ failed to /g, " did not "],
  [/ fails to /g, " does not "],
  // Amounts.
  [/ in excess of /g, " more than "],
  [/ an? minimum of /g, " at least "],
  [/ an? maximum of /g, " at most "],
  [/ half an hour /g, " 0.5 hours "],
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
  [/ (?:free of charge|at no cost|for free) /g, " free "],
  [/ (?:up until|till) /g, " until "],
];

/** Says the same in one way, so that what differs between two sentences is what they say. */
export function rephrase(words: readonly string[]): readonly string[] {
  const text = ` ${words.join(" ")} `;
  const plain = PHRASES.reduce((changed, [phrase, other]) => changed.replaceAll(phrase, other), text);
  return plain === text ? words : plain.trim().split(" ");
}
