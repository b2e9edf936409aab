/** Former sentences of this rule, and today's in their place (see `Rule.formerWording`). */
export const formerWording = {
  "A pool that is looked at holds liquidity for the token.":
    "A pool that this check reads holds liquidity for the token.",
  "No pool that is looked at holds the token.": "No pool that this check reads holds the token.",
  "Without a pool the token can be sold only where this check does not look, or given back to its issuer.":
    "Without such a pool the token can be sold only in places that this check does not read, or given back to its issuer.",
  "No price was looked at:": "No price was read:",
  "An account that is nobody's may exercise a power over the token's holders.":
    "Any account may exercise a power over the token's holders.",
  "Who issued a token is the word of the operator's list; nothing on the chain proves it, nor that any asset stands behind the token.":
    "Who issued a token is stated by the operator's list alone; nothing on the chain proves it, or that any asset stands behind the token.",
  "has not come to its end.": "has not ended.",
  "A transfer between accounts that nobody knows succeeds.": "A transfer between unknown accounts succeeds.",
  "A transfer between accounts that nobody knows fails,": "A transfer between unknown accounts fails,",
} as const;
