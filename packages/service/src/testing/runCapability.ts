import { type CapabilityId, type CapabilityInput, canonicalJson } from "@assay/protocol";
import type { Capability, GatherContext } from "../capabilities/types.js";

/** Gathers and judges as the service does: by readings that were plain JSON in between. */
export async function runCapability<Id extends CapabilityId, Readings>(
  capability: Capability<Id, Readings>,
  schema: { parse(value: unknown): Readings },
  context: GatherContext,
  input: CapabilityInput<Id>,
) {
  const gathered = await capability.gather(context, input);
  const readings = schema.parse(JSON.parse(canonicalJson(gathered.readings)));
  const facts = capability.listFacts(input, readings);
  return { ...capability.evaluate(input, readings), gathered, readings, facts };
}
