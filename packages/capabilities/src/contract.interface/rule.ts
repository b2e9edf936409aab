import { defineRule } from "../defineRule.js";
import { evaluateContractInterface } from "./evaluate.js";
import { listContractInterfaceFacts } from "./facts.js";
import { contractInterfaceReadingsSchema } from "./readings.js";
import { contractInterfaceReasons } from "./reasons.js";

export const rule = defineRule({
  readings: contractInterfaceReadingsSchema,
  reasons: contractInterfaceReasons,
  evaluate: evaluateContractInterface,
  listFacts: listContractInterfaceFacts,
});
