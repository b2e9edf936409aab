import { defineRule } from "../defineRule.js";
import { evaluateTradeExecution } from "./evaluate.js";
import { tradeExecutionReadingsSchema } from "./readings.js";
import { tradeExecutionReasons } from "./reasons.js";

export const rule = defineRule({
  readings: tradeExecutionReadingsSchema,
  reasons: tradeExecutionReasons,
  evaluate: evaluateTradeExecution,
  // What decides is in the lists of another block than the answer's own; its proofs are among the readings.
  listFacts: () => [],
});
