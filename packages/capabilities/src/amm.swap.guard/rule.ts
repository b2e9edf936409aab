import { defineRule } from "../defineRule.js";
import { evaluateSwapGuard } from "./evaluate.js";
import { listSwapGuardFacts } from "./facts.js";
import { swapGuardReadingsSchema } from "./readings.js";
import { swapGuardReasons } from "./reasons.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: swapGuardReadingsSchema,
  reasons: swapGuardReasons,
  evaluate: evaluateSwapGuard,
  listFacts: listSwapGuardFacts,
});
