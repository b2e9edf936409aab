import { canonicalJson } from "@assay/protocol";
import type { Rule } from "../defineRule.js";
import type { GatherContext, Gatherer } from "../gathering.js";
import { verifyFacts } from "../shared/proofs/provableFact.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";

/** Gathers and judges as the service does: by readings that were plain JSON in between, and with a proof of every fact. */
export async function runCapability<Input, Readings, Result extends Evaluation>(
  capability: Rule<Input, Readings, Result> & Gatherer<Input, Readings>,
  context: GatherContext,
  input: Input,
) {
  const gathered = await capability.gather(context, input);
  const readings = capability.readings.parse(JSON.parse(canonicalJson(gathered.readings)));
  const facts = capability.listFacts(input, readings);
  // Null where a node gave no proofs, which is what some tests are about.
  if (context.proofs.finish() !== null) verifyFacts(context.proofs, facts);
  return { ...capability.evaluate(input, readings), gathered, readings, facts };
}
