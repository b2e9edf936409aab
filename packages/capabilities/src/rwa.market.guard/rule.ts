import { defineRule } from "../defineRule.js";
import { evaluateRwaMarket } from "./evaluate.js";
import { listRwaMarketFacts } from "./facts.js";
import { formerWording } from "./formerWording.js";
import { rwaMarketReadingsSchema } from "./readings.js";
import { rwaMarketReasons } from "./reasons.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: rwaMarketReadingsSchema,
  reasons: rwaMarketReasons,
  evaluate: evaluateRwaMarket,
  listFacts: listRwaMarketFacts,
  formerWording,
});
