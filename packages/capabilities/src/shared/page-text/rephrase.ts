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
];

/** Says the same in one way, so that what differs between two sentences is what they say. */
export function rephrase(words: readonly string[]): readonly string[] {
  const text = ` ${words.join(" ")} `;
  const plain = PHRASES.reduce((changed, [phrase, other]) => changed.replaceAll(phrase, other), text);
  return plain === text ? words : plain.trim().split(" ");
}
