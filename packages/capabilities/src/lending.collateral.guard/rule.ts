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
});
