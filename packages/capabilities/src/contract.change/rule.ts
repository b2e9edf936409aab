import { defineRule } from "../defineRule.js";
import { evaluateContractChange } from "./evaluate.js";
import { listContractChangeFacts } from "./facts.js";
import { contractChangeReadingsSchema } from "./readings.js";
import { contractChangeReasons } from "./reasons.js";

export const rule = defineRule({
  readings: contractChangeReadingsSchema,
  reasons: contractChangeReasons,
  evaluate: evaluateContractChange,
  listFacts: listContractChangeFacts,
  formerWording: {
    "The earlier observation is the newest on record, whoever paid for it: a change before its block was reported to them.":
      "The earlier observation is the newest on record and may be another caller's: a change before its block was reported to that caller.",
  },
});
