import { findCapability, summarizeAnswer } from "@assay/capabilities";
import type { CapabilityResult } from "@assay/protocol";

/** An answer in at most 700 tokens, with its reasons sorted by weight. */
export async function describeForModel(answer: CapabilityResult): Promise<string> {
  const rule = await findCapability(answer.capabilityId)?.loadRule();
  return summarizeAnswer(answer, rule?.reasons);
}
