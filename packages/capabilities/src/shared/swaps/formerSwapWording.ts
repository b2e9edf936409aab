/** Former sentences of this topic, for the rules that share them (see `Rule.formerWording`). */
export const formerSwapWording = {
  "What the pools alone would give was not told,": "What the pools alone would give was not read,",
  "A token's balances around the simulated swap were not told.":
    "A token's balances around the simulated swap were not read.",
  "a token's balance around the sale was not told": "a token's balance around the sale was not read",
} as const;
