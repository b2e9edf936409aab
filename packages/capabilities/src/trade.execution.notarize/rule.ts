import { defineRule } from "../defineRule.js";
import { evaluateTradeExecution } from "./evaluate.js";
import { formerWording } from "./formerWording.js";
import { tradeExecutionReadingsSchema } from "./readings.js";
import { tradeExecutionReasons } from "./reasons.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: tradeExecutionReadingsSchema,
  reasons: tradeExecutionReasons,
  evaluate: evaluateTradeExecution,
  // The transaction is in another block than the answer's own; its proofs are among the readings.
  listFacts: () => [],
  formerWording,
});
