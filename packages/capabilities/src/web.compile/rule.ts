import { defineRule } from "../defineRule.js";
import { formerPageWording } from "../shared/page-text/formerPageWording.js";
import { evaluateWebCompile } from "./evaluate.js";
import { webCompileReadingsSchema } from "./readings.js";
import { webCompileReasons } from "./reasons.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: webCompileReadingsSchema,
  reasons: webCompileReasons,
  evaluate: evaluateWebCompile,
  listFacts: () => [],
  formerWording: formerPageWording,
});
