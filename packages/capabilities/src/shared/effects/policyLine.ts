import type { Verdict } from "@assay/protocol";

/** One line of the policy: an effect, whom it concerns, and what follows. */
export interface PolicyLine {
  readonly effect: string;
  readonly party: string;
  readonly verdict: Verdict;
  readonly why: string;
}

export const line = <const V extends Verdict>(effect: string, party: string, verdict: V, why: string) =>
  ({ effect, party, verdict, why }) as const;
