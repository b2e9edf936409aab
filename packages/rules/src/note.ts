import { type ReasonCode, reasonCodes, type Verdict } from "@assay/protocol";

/** One thing a rule noticed; the limitation says in words what stays unknown because of it. */
export interface Note<Code extends ReasonCode = ReasonCode> {
  readonly code: Code;
  readonly limitation?: string;
}

const RANK: Record<Verdict, number> = { allow: 0, review: 1, block: 2 };

/** The gravest verdict among the notes; without any note nothing was learnt, which is a review. */
export function worstVerdict<Code extends ReasonCode>(
  notes: readonly Note<Code>[],
  verdicts: Readonly<Record<Code, Verdict>>,
): Verdict {
  if (notes.length === 0) return "review";
  return notes
    .map(({ code }) => verdicts[code])
    .reduce((worst, verdict) => (RANK[verdict] > RANK[worst] ? verdict : worst), "allow");
}

/** The sentences of the codes that decided the verdict, in the order they were noticed. */
export function decidingSentences<Code extends ReasonCode>(
  notes: readonly Note<Code>[],
  verdicts: Readonly<Record<Code, Verdict>>,
): string {
  const verdict = worstVerdict(notes, verdicts);
  const codes = unique(notes.map(({ code }) => code)).filter((code) => verdicts[code] === verdict);
  return codes.map((code) => reasonCodes[code]).join(" ");
}

export function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
