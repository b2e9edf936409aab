import type { Evaluation } from "./shared/verdict/evaluation.js";
import type { ProvableAccount } from "./shared/verdict/provableFact.js";
import type { Reasons } from "./shared/verdict/reasons.js";

/** How readings become a verdict: pure, so that a stranger reaches the same verdict from a recorded answer. */
export interface Rule<Input = never, Readings = unknown, Result extends Evaluation = Evaluation> {
  /** What the verdict is computed from, as plain JSON. */
  readonly readings: { parse(value: unknown): Readings };
  /** Every reason the rule can give. */
  readonly reasons: Reasons;
  evaluate(input: Input, readings: Readings): Result;
  /** What the verdict took from the chain's state and a proof can show. */
  listFacts(input: Input, readings: Readings): readonly ProvableAccount[];
}

export const defineRule = <Input, Readings, Result extends Evaluation>(
  rule: Rule<Input, Readings, Result>,
): Rule<Input, Readings, Result> => rule;
