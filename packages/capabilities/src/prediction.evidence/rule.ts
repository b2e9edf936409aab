import { defineRule } from "../defineRule.js";
import { evaluatePredictionEvidence } from "./evaluate.js";
import { listPredictionEvidenceFacts } from "./facts.js";
import { formerWording } from "./formerWording.js";
import { predictionEvidenceReadingsSchema } from "./readings.js";
import { predictionReasons } from "./reasons.js";

export const rule = defineRule({
  readings: predictionEvidenceReadingsSchema,
  reasons: predictionReasons,
  evaluate: evaluatePredictionEvidence,
  listFacts: listPredictionEvidenceFacts,
  formerWording,
});
