import type { CapabilityResult } from "@assay/protocol";
import { type AnswerEnd, endOf } from "../answer/endOf.js";
import { useHealth } from "../service/assay.js";
import { useIsPast } from "../ui/useIsPast.js";

/** Whether an answer still holds, which no check of its content shows. */
export interface Window {
  /** Undefined where it is not known. */
  readonly holds: boolean | undefined;
  /** Why that is so. */
  readonly words: string;
}

interface Seen {
  readonly end: AnswerEnd;
  /** Null where it is not known. */
  readonly head: number | null;
  /** Whether that head is current. */
  readonly isHeadKnown: boolean;
  readonly isTimeOver: boolean;
  /** Whether this tab has seen it end before. */
  readonly wasEnded?: boolean | undefined;
}

export function describeWindow({ end, head, isHeadKnown, isTimeOver, wasEnded = false }: Seen): Window {
  if (head !== null && head > end.block)
    return { holds: false, words: `It held until block ${end.block}; the chain is at block ${head}.` };
  if (isTimeOver)
    return {
      holds: false,
      words: `It held until block ${end.block} at most, and by this browser's clock its time has passed.`,
    };
  if (wasEnded)
    return { holds: false, words: `It held until block ${end.block}, and this tab has seen it end.` };
  return head === null || !isHeadKnown
    ? {
        holds: undefined,
        words: "Whether it still holds was not checked: the newest block is not known.",
      }
    : { holds: true, words: `It holds until block ${end.block}; the chain is at ${head}.` };
}

/** Whether an answer from a file still holds, by the head of the chain that the service follows now. */
export function useWindow(answer: CapabilityResult | undefined): Window {
  const { data, error } = useHealth();
  const end = answer && endOf(answer);
  const isTimeOver = useIsPast(end?.atMs ?? null);
  const head = data?.headBlock ?? null;
  if (!answer || !end) return { holds: undefined, words: "" };
  const window = describeWindow({ end, head, isHeadKnown: error === null, isTimeOver });
  if (window.holds && head !== null && head < answer.result.computedAtBlock)
    return {
      holds: undefined,
      words: `Whether it still holds is not known: the chain is at block ${head}, before the one it was read at.`,
    };
  return window;
}
