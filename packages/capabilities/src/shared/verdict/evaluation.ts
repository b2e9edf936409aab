import type { Verdict } from "@assay/protocol";

/** What a rule concludes from readings alone. */
export interface Evaluation {
  readonly verdict: Verdict;
  readonly reasonCodes: readonly string[];
  readonly summary: string;
  /** Interpretation of the readings, shown beside them in `result.evidence.findings`. */
  readonly findings: Readonly<Record<string, unknown>>;
  /** What a caller must not miss, shown in `result.evidence` itself. */
  readonly evidence?: Readonly<Record<string, unknown>>;
  readonly limitations: readonly string[];
}
