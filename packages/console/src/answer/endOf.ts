import { type CapabilityResult, type RefreshedAnswer, refreshedAnswerSchema } from "@assay/protocol";

export interface AnswerEnd {
  /** The last block in which the answer holds. */
  readonly block: number;
  /** By the clock, in ms; null where only blocks end it. */
  readonly atMs: number | null;
}

/** The answer that evidence.artifact computed anew, where it did. */
export const findRefreshed = ({ result }: Pick<CapabilityResult, "result">): RefreshedAnswer | undefined =>
  refreshedAnswerSchema.safeParse(result.refreshed).data;

/**
 * When an answer ends: with its own window, with that of the answer it holds, or after the seconds it was sold for,
 * whichever comes first.
 */
export function endOf(answer: CapabilityResult, arrivedAtMs?: number | undefined): AnswerEnd {
  const { result, nextCall } = answer;
  const inner = findRefreshed(answer)?.validUntil;
  const times = [
    ...(inner ? [Date.parse(inner.time)] : []),
    ...(arrivedAtMs !== undefined && typeof nextCall?.validForSeconds === "number"
      ? [arrivedAtMs + nextCall.validForSeconds * 1_000]
      : []),
  ];
  return {
    block: Math.min(result.validUntilBlock, inner?.block ?? result.validUntilBlock),
    atMs: times.length === 0 ? null : Math.min(...times),
  };
}
