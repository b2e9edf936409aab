import { defineRule } from "../defineRule.js";
import { evaluateEvidenceArtifact } from "./evaluate.js";
import { evidenceArtifactReadingsSchema } from "./readings.js";
import { evidenceArtifactReasons } from "./reasons.js";

export const rule = defineRule({
  readings: evidenceArtifactReadingsSchema,
  reasons: evidenceArtifactReasons,
  evaluate: evaluateEvidenceArtifact,
  listFacts: () => [],
  formerWording: {
    "The artifact had expired and was computed anew.": "The artifact had expired and was computed again.",
    "what the artifact itself answered is not told here.": "the artifact's own answer is not repeated here.",
  },
});
