import { defineRule } from "../defineRule.js";
import { evaluateExampleEcho } from "./evaluate.js";
import { exampleEchoReadingsSchema } from "./readings.js";
import { exampleEchoReasons } from "./reasons.js";

export const rule = defineRule({
  readings: exampleEchoReadingsSchema,
  reasons: exampleEchoReasons,
  evaluate: evaluateExampleEcho,
  // Calls cannot be proven; a capability that reads code or storage slots lists them in a facts.ts.
  listFacts: () => [],
});
