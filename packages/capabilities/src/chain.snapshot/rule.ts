import { defineRule } from "../defineRule.js";
import { chainSnapshotReadingsSchema, evaluateChainSnapshot } from "./evaluate.js";
import { chainSnapshotReasons } from "./reasons.js";

export const rule = defineRule({
  readings: chainSnapshotReadingsSchema,
  reasons: chainSnapshotReasons,
  evaluate: evaluateChainSnapshot,
  listFacts: () => [],
});
