import { defineRule } from "../defineRule.js";
import { evaluateMessageIntent } from "./evaluate.js";
import { listMessageIntentFacts } from "./facts.js";
import { messageIntentReadingsSchema } from "./readings.js";
import { messageIntentReasons } from "./reasons.js";

export const rule = defineRule({
  readings: messageIntentReadingsSchema,
  reasons: messageIntentReasons,
  evaluate: evaluateMessageIntent,
  listFacts: listMessageIntentFacts,
});
