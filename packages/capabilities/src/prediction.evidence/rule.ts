import { defineRule } from "../defineRule.js";
import { evaluatePredictionEvidence } from "./evaluate.js";
import { listPredictionEvidenceFacts } from "./facts.js";
import { formerWording } from "./formerWording.js";
import { predictionEvidenceReadingsSchema } from "./readings.js";
import { predictionReasons } from "./reasons.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: predictionEvidenceReadingsSchema,
  reasons: predictionReasons,
  evaluate: evaluatePredictionEvidence,
  listFacts: listPredictionEvidenceFacts,
  formerWording,
});
