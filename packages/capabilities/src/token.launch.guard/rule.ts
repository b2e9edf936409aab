import { defineRule } from "../defineRule.js";
import { evaluateTokenLaunch } from "./evaluate.js";
import { listTokenLaunchFacts } from "./facts.js";
import { formerWording } from "./formerWording.js";
import { tokenLaunchReadingsSchema } from "./readings.js";
import { tokenLaunchReasons } from "./reasons.js";

export const rule = defineRule({
  readings: tokenLaunchReadingsSchema,
  reasons: tokenLaunchReasons,
  evaluate: evaluateTokenLaunch,
  listFacts: listTokenLaunchFacts,
  formerWording,
});
