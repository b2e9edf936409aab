import { defineRule } from "../defineRule.js";
import { evaluateHookGuard } from "./evaluate.js";
import { listHookGuardFacts } from "./facts.js";
import { hookGuardReadingsSchema } from "./readings.js";
import { hookGuardReasons } from "./reasons.js";

export const rule = defineRule({
  readings: hookGuardReadingsSchema,
  reasons: hookGuardReasons,
  evaluate: evaluateHookGuard,
  listFacts: listHookGuardFacts,
});
