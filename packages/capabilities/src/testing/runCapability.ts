import { canonicalJson } from "@assay/protocol";
import type { Rule } from "../defineRule.js";
import type { GatherContext, Gatherer } from "../gathering.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";

/** Gathers and judges as the service does: by readings that were plain JSON in between. */
export async function runCapability<Input, Readings, Result extends Evaluation>(
  capability: Rule<Input, Readings, Result> & Gatherer<Input, Readings>,
  context: GatherContext,
  input: Input,
) {
  const gathered = await capability.gather(context, input);
  const readings = capability.readings.parse(JSON.parse(canonicalJson(gathered.readings)));
  const facts = capability.listFacts(input, readings);
  return { ...capability.evaluate(input, readings), gathered, readings, facts };
}
