import { latestEndMs } from "@assay/client";
import { type CapabilityResult, type RefreshedAnswer, refreshedAnswerSchema } from "@assay/protocol";

export interface AnswerEnd {
  /** The last block in which the answer holds. */
  readonly block: number;
  /** By this browser's clock, in ms. */
  readonly atMs: number;
}

/** The answer inside an answer: an expired artifact that was computed again. */
export const findRefreshed = ({ result }: Pick<CapabilityResult, "result">): RefreshedAnswer | undefined =>
  refreshedAnswerSchema.safeParse(result.refreshed).data;

/**
 * When an answer ends: with its own window, with that of the answer it holds, after the seconds it was sold for, or when
 * its signed seconds have passed since its block, whichever comes first.
 */
export function endOf(answer: CapabilityResult, arrivedAtMs?: number | undefined): AnswerEnd {
  const { result, nextCall } = answer;
  const inner = findRefreshed(answer)?.validUntil;
  const times = [
    // No signature covers the seconds in nextCall; these are signed.
    latestEndMs(answer),
    ...(inner ? [Date.parse(inner.time)] : []),
    ...(arrivedAtMs !== undefined && typeof nextCall?.validForSeconds === "number"
      ? [arrivedAtMs + nextCall.validForSeconds * 1_000]
      : []),
  ];
  return {
    block: Math.min(result.validUntilBlock, inner?.block ?? result.validUntilBlock),
    atMs: Math.min(...times),
  };
}
