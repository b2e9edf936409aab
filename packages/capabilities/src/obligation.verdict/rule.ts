import { defineRule } from "../defineRule.js";
import { evaluateObligationVerdict } from "./evaluate.js";
import { formerWording } from "./formerWording.js";
import { obligationVerdictReadingsSchema } from "./readings.js";
import { obligationReasons } from "./reasons.js";

export const rule = defineRule({
  readings: obligationVerdictReadingsSchema,
  reasons: obligationReasons,
  evaluate: evaluateObligationVerdict,
  // The state that decides is that of other blocks than the answer's own.
  listFacts: () => [],
  formerWording,
});
