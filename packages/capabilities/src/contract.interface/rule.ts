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
  formerWording: {
    "A storage slot that decides could not be read.":
      "A storage slot that the verdict depends on could not be read.",
    "A call was answered otherwise than the functions in the code let expect.":
      "The result of a call contradicts the functions found in the code.",
    "A call that tells standards apart got no answer.":
      "A call that distinguishes standards was not answered.",
    "what calls answered is as a node told it,": "the results of calls are as a node reports them,",
  },
});
