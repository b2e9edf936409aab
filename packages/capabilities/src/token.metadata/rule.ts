import { defineRule } from "../defineRule.js";
import { evaluateTokenMetadata } from "./evaluate.js";
import { listTokenMetadataFacts } from "./facts.js";
import { formerWording } from "./formerWording.js";
import { tokenMetadataReadingsSchema } from "./readings.js";
import { tokenMetadataReasons } from "./reasons.js";

export const rule = defineRule({
  readings: tokenMetadataReadingsSchema,
  reasons: tokenMetadataReasons,
  evaluate: evaluateTokenMetadata,
  listFacts: listTokenMetadataFacts,
  formerWording,
});
