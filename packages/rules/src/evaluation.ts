import type { ReasonCode, Verdict } from "@assay/protocol";

/** What a rule concludes from readings alone. */
export interface Evaluation {
  readonly verdict: Verdict;
  readonly reasonCodes: readonly ReasonCode[];
  readonly summary: string;
  /** Interpretation of the readings, shown beside them in `result.evidence.findings`. */
  readonly findings: Readonly<Record<string, unknown>>;
  /** What a caller must not miss, shown in `result.evidence` itself. */
  readonly evidence?: Readonly<Record<string, unknown>>;
  readonly limitations: readonly string[];
}

/** A pure function from a normalized input and recorded readings (plain JSON) to a conclusion. */
export type Evaluate<Input, Readings> = (input: Input, readings: Readings) => Evaluation;
