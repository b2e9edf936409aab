import { defineRule } from "../defineRule.js";
import { launchReadingsSchema } from "../shared/launch/launchReadings.js";
import { launchReasons } from "../shared/launch/reasons.js";
import { evaluateTokenLaunch } from "./evaluate.js";
import { listTokenLaunchFacts } from "./facts.js";

export const rule = defineRule({
  ruleVersion: "2.0.0",
  readings: launchReadingsSchema,
  reasons: launchReasons,
  evaluate: evaluateTokenLaunch,
  listFacts: listTokenLaunchFacts,
});
