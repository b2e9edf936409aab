import { defineRule } from "../defineRule.js";
import { evaluateTransactionIntent } from "../shared/intents/evaluateTransaction.js";
import { listTransactionIntentFacts } from "../shared/intents/listTransactionFacts.js";
import { transactionIntentReadingsSchema } from "../shared/intents/transactionReadings.js";
import { transactionIntentReasons } from "../shared/intents/transactionReasons.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: transactionIntentReadingsSchema,
  reasons: transactionIntentReasons,
  evaluate: evaluateTransactionIntent,
  listFacts: listTransactionIntentFacts,
});
