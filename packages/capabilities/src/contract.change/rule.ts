import { defineRule } from "../defineRule.js";
import { evaluateContractChange } from "./evaluate.js";
import { listContractChangeFacts } from "./facts.js";
import { contractChangeReadingsSchema } from "./readings.js";
import { contractChangeReasons } from "./reasons.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: contractChangeReadingsSchema,
  reasons: contractChangeReasons,
  evaluate: evaluateContractChange,
  listFacts: listContractChangeFacts,
});
