import type { ProvableAccount } from "./shared/proofs/provableFact.js";
import type { Evaluation } from "./shared/verdict/evaluation.js";
import type { Reasons } from "./shared/verdict/reasons.js";

/** Sentences that a rule once used, each with the sentence that stands in its place today. */
export type FormerWording = Readonly<Record<string, string>>;

/** How readings become a verdict: pure, so that a stranger reaches the same verdict from a recorded answer. */
export interface Rule<Input = never, Readings = unknown, Result extends Evaluation = Evaluation> {
  /**
   * Raised when the same readings may get another verdict, reason code or finding, so that an answer is judged again by the rule it was given by
   * (`formerRules.ts`). Without it the rule has the version of its capability, which callers see and the contract fixes.
   */
  readonly ruleVersion?: string;
  /** What the verdict is computed from, as plain JSON. */
  readonly readings: { parse(value: unknown): Readings };
  /** Every reason the rule can give. */
  readonly reasons: Reasons;
  evaluate(input: Input, readings: Readings): Result;
  /** What the verdict took from the chain's state and a proof can show. */
  listFacts(input: Input, readings: Readings): readonly ProvableAccount[];
  /**
   * Lets a sentence of the summary, the limitations or the evidence be improved: answers recorded with the former one
   * still verify. Every former sentence maps to today's, also when there was a third one between them.
   */
  readonly formerWording?: FormerWording;
}

export const defineRule = <Input, Readings, Result extends Evaluation>(
  rule: Rule<Input, Readings, Result>,
): Rule<Input, Readings, Result> => rule;
