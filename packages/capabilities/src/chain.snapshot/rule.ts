import { defineRule } from "../defineRule.js";
import { evaluateChainSnapshot } from "./evaluate.js";
import { chainSnapshotReadingsSchema } from "./readings.js";
import { chainSnapshotReasons } from "./reasons.js";

export const rule = defineRule({
  readings: chainSnapshotReadingsSchema,
  reasons: chainSnapshotReasons,
  evaluate: evaluateChainSnapshot,
  listFacts: () => [],
});
