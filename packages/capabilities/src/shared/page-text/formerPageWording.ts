/** Former sentences of this topic, for the rules that share them (see `Rule.formerWording`). */
export const formerPageWording = {
  "nor has it scripts that could add any; pictures were not looked at.":
    "and it has no scripts that could add any; pictures were not read.",
  "Nothing was looked for.": "Nothing was searched for.",
} as const;
