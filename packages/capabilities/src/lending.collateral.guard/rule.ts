import { defineRule } from "../defineRule.js";
import { evaluateLendingCollateral } from "./evaluate.js";
import { listLendingCollateralFacts } from "./facts.js";
import { lendingCollateralReadingsSchema } from "./readings.js";
import { lendingCollateralReasons } from "./reasons.js";

export const rule = defineRule({
  readings: lendingCollateralReadingsSchema,
  reasons: lendingCollateralReasons,
  evaluate: evaluateLendingCollateral,
  listFacts: listLendingCollateralFacts,
  formerWording: {
    "The sender's code could not be read.": "The sender's code or balance could not be read.",
    "A storage slot that decides could not be read.":
      "A storage slot that the verdict depends on could not be read.",
    "A call that tells proxies apart got no answer.": "A call that shows the kind of proxy got no answer.",
    "The contract asks for other collateral than its oracle's price lets expect.":
      "The contract requires other collateral than its oracle's price implies.",
    "The market has not so much to lend.": "The market does not have that much to lend.",
    "A feed behind the oracle is older than it may be, or of the future.":
      "A feed behind the oracle is older than its update interval allows, or dated in the future.",
    "The oracle tells different prices to different callers.":
      "The oracle returns different prices to different callers.",
    "The market's functions and its storage tell different things.":
      "The market's functions return other values than its storage holds.",
    "The interest model told no rate, so interest since the market's last update was not added.":
      "The interest model returned no rate, so interest since the market's last update was not added.",
    "By the price told, ": "At the price that the oracle returns, ",
  },
});
