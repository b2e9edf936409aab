import { defineRule } from "../defineRule.js";
import { evaluateTransactionIntent } from "./evaluate.js";
import { listTransactionIntentFacts } from "./facts.js";
import { transactionIntentReadingsSchema } from "./readings.js";
import { transactionIntentReasons } from "./reasons.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: transactionIntentReadingsSchema,
  reasons: transactionIntentReasons,
  evaluate: evaluateTransactionIntent,
  listFacts: listTransactionIntentFacts,
});
