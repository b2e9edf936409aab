/** Former sentences of this topic, for the rules that share them (see `Rule.formerWording`). */
export const formerSimulationWording = {
  "The transaction concerns more tokens or addresses than this check looks at.":
    "The transaction concerns more tokens or addresses than this check measures.",
} as const;
