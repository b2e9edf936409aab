/** Former sentences of this rule, and today's in their place (see `Rule.formerWording`). */
export const formerWording = {
  "Imitations are looked for among a short list of well-known tokens;":
    "Imitations are searched for in a short list of well-known tokens;",
  "is not looked at; contract.guard does the latter.": "is not checked; contract.guard checks the latter.",
} as const;
