import { defineRule } from "../defineRule.js";
import { evaluateObligationVerdict } from "./evaluate.js";
import { obligationVerdictReadingsSchema } from "./readings.js";
import { obligationReasons } from "./reasons.js";

export const rule = defineRule({
  readings: obligationVerdictReadingsSchema,
  reasons: obligationReasons,
  evaluate: evaluateObligationVerdict,
  // What decides is the state at other blocks than the answer's own.
  listFacts: () => [],
});
