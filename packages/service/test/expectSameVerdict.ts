import { type Evaluation, findCapability } from "@assay/capabilities";
import type { CapabilityResult } from "@assay/protocol";
import { expect } from "vitest";

/** What a stranger does: runs the rule on nothing but the answer, and reaches what the answer says. */
export async function expectSameVerdict({
  capabilityId,
  verdict,
  result,
}: CapabilityResult): Promise<Evaluation> {
  const { evidence, reasonCodes, summary } = result;
  const capability = findCapability(capabilityId);
  if (!capability) throw new Error(`no capability ${capabilityId}`);
  const { readings, evaluate } = await capability.loadRule();
  const again = evaluate(capability.input.parse(evidence.input) as never, readings.parse(evidence.readings));
  expect(again).toMatchObject({ verdict, reasonCodes, summary, findings: evidence.findings });
  return again;
}
