import type { Verdict } from "@assay/protocol";
import type { Reasons } from "./reasons.js";

/** One thing a rule noticed. The limitation states in words what stays unknown because of it. */
export interface Note<Code extends string = string> {
  readonly code: Code;
  readonly limitation?: string;
}

const RANK: Record<Verdict, number> = { allow: 0, review: 1, block: 2 };

/** The most severe verdict among the notes. No notes means that nothing was learnt, which is a review. */
export function worstVerdict<Code extends string>(
  notes: readonly Note<Code>[],
  reasons: Reasons<Code>,
): Verdict {
  if (notes.length === 0) return "review";
  return notes
    .map(({ code }) => reasons[code].verdict)
    .reduce((worst, verdict) => (RANK[verdict] > RANK[worst] ? verdict : worst), "allow");
}

/** The sentences of the codes that decided the verdict, in the order they were noticed. */
export function decidingSentences<Code extends string>(
  notes: readonly Note<Code>[],
  reasons: Reasons<Code>,
): string {
  const verdict = worstVerdict(notes, reasons);
  const codes = unique(notes.map(({ code }) => code)).filter((code) => reasons[code].verdict === verdict);
  return codes.map((code) => reasons[code].sentence).join(" ");
}

export function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
