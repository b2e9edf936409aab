import { type CapabilityId, type CapabilityResult, capabilityInputs } from "@assay/protocol";
import type { Evaluation } from "@assay/rules";
import { expect } from "vitest";

/** What a stranger does: runs the rule on nothing but the answer, and reaches what the answer says. */
export function expectSameVerdict<Input, Readings>(
  { capabilityId, verdict, result }: CapabilityResult,
  evaluate: (input: Input, readings: Readings) => Evaluation,
  readings: { parse(value: unknown): Readings },
): Evaluation {
  const { evidence, reasonCodes, summary } = result;
  const input = capabilityInputs[capabilityId as CapabilityId].parse(evidence.input);
  const again = evaluate(input as Input, readings.parse(evidence.readings));
  expect(again).toMatchObject({ verdict, reasonCodes, summary, findings: evidence.findings });
  return again;
}
