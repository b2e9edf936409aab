/** Former sentences of this rule, and today's in their place (see `Rule.formerWording`). */
export const formerWording = {
  "Pools were not looked for:": "Pools were not searched for:",
  "Of pools, Uniswap V2 and V3 against the wrapped native currency and the stablecoin were looked for.":
    "Only pools of Uniswap V2 and V3 against the wrapped native currency and the stablecoin were searched for.",
  "whether contracts that the token calls look at it is not known.":
    "whether contracts that the token calls read it is not known.",
  "and whoever holds it can take it out.": "and its holders can withdraw it.",
  "behind a proxy, for want of gas or because there are too many.":
    "they are behind a proxy, gas ran out, or there are too many.",
  "What somebody's powers do to a sale was not tried, or not all of it.":
    "Whether powers over the token harm a sale was not tried, or only in part.",
  "Anybody can make a sale of the token fail or lose half of it or more.":
    "Anyone can make a sale of the token fail or lose half of it or more.",
  "Nearly all of the pair's liquidity is out of anybody's reach.":
    "Nobody can withdraw nearly all of the pair's liquidity.",
} as const;
