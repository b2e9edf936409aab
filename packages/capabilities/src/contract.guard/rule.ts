import { defineRule } from "../defineRule.js";
import { evaluateContractGuard } from "./evaluate.js";
import { listContractGuardFacts } from "./facts.js";
import { contractGuardReadingsSchema } from "./readings.js";
import { contractGuardReasons } from "./reasons.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: contractGuardReadingsSchema,
  reasons: contractGuardReasons,
  evaluate: evaluateContractGuard,
  listFacts: listContractGuardFacts,
});
