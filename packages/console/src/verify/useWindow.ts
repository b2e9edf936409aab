import type { CapabilityResult } from "@assay/protocol";
import { endOf } from "../answer/endOf.js";
import { useHealth } from "../service/assay.js";
import { useIsPast } from "../ui/useIsPast.js";

/** Whether an answer still holds, as far as the chain that is asked now tells; no check of its content says so. */
export function useWindow(
  answer: CapabilityResult | undefined,
  arrivedAtMs?: number | undefined,
): {
  /** Undefined where it is not known. */
  readonly holds: boolean | undefined;
  readonly words: string;
} {
  const { data, error } = useHealth();
  const end = answer && endOf(answer, arrivedAtMs);
  const isTimeOver = useIsPast(end?.atMs ?? null);
  const head = data?.headBlock ?? null;
  if (!answer || !end) return { holds: undefined, words: "" };
  if (head !== null && head > end.block)
    return {
      holds: false,
      words: `It no longer holds: it ended with block ${end.block}, the chain is at ${head}.`,
    };
  if (isTimeOver) return { holds: false, words: "It no longer holds: its time has passed." };
  if (head === null || error)
    return {
      holds: undefined,
      words: "Whether it still holds was not looked at: the chain's head is not known.",
    };
  if (head < answer.result.computedAtBlock)
    return {
      holds: undefined,
      words: `Whether it still holds cannot be told: the chain is at block ${head}, before the one it was read at.`,
    };
  return { holds: true, words: `It holds until block ${end.block}; the chain is at ${head}.` };
}
