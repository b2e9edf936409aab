import { defineRule } from "../defineRule.js";
import { evaluateContractGuard } from "./evaluate.js";
import { listContractGuardFacts } from "./facts.js";
import { contractGuardReadingsSchema } from "./readings.js";
import { contractGuardReasons } from "./reasons.js";

export const rule = defineRule({
  readings: contractGuardReadingsSchema,
  reasons: contractGuardReasons,
  evaluate: evaluateContractGuard,
  listFacts: listContractGuardFacts,
});
