import { ProblemError } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import { useCallback, useEffect, useState } from "react";
import { HEAD_EVERY_MS, largestLagBlocks, useDescription, useHealth, useReceipt } from "../service/assay.js";
import { useIsPast } from "../ui/useIsPast.js";
import { answerPlan, type Finding } from "../verify/checkStep.js";
import { type Arrival, type OnArrival, useArrivalCheck } from "../verify/useArrivalCheck.js";
import { describeWindow, type Window } from "../verify/useWindow.js";
import { type AnswerMarks, findMarks, keepMarks } from "./answerMarks.js";
import { type AnswerEnd, endOf } from "./endOf.js";

/** Without fetching its receipt, which may take a while. */
const answerAlone: OnArrival<CapabilityResult> = {
  plan: answerPlan,
  check: ({ checkAlone }, answer, keys) => checkAlone(answer, keys),
};

export interface AnswerState extends AnswerMarks, Pick<Arrival, "check" | "steps"> {
  readonly end: AnswerEnd;
  /** Whether it holds, as every part of the page shows it. */
  readonly window: Window;
  /** Records what a check of the answer found. */
  onChecked(finding: Finding): void;
}

/** The state of an answer, by the service and the chain that answer now. One that has ended or is foreign never becomes good again. */
export function useAnswerState(answer: CapabilityResult, arrivedAtMs: number | undefined): AnswerState {
  const { invocationId, result, evidenceReference } = answer;
  const end = endOf(answer, arrivedAtMs);
  const isTimeOver = useIsPast(end.atMs);
  const { check, steps, record } = useArrivalCheck(answer, answerAlone);
  const [marks, setMarks] = useState(() => findMarks(invocationId));
  const { data: health, dataUpdatedAt, error: headError } = useHealth();
  const [shownAtMs] = useState(Date.now);
  const { data: description } = useDescription();
  const { error } = useReceipt(invocationId);
  const head = health?.headBlock ?? null;
  // A head that was asked for before the answer came may be older than the answer.
  const isHeadNewer = dataUpdatedAt > shownAtMs + HEAD_EVERY_MS;
  const isOtherSigner =
    description !== undefined &&
    description.signingAddress.toLowerCase() !== evidenceReference.signer.toLowerCase();
  const isUnknown = error instanceof ProblemError && error.status === 404;
  const isForeign =
    (isHeadNewer &&
      health !== undefined &&
      head !== null &&
      head + largestLagBlocks(health) < result.computedAtBlock) ||
    isOtherSigner ||
    isUnknown;
  // The clock ends it too: a head that does not move must not keep it alive.
  const hasEnded = isTimeOver || (head !== null && head > end.block);
  const add = useCallback(
    (more: AnswerMarks) =>
      setMarks((known) => {
        const next = { ...known, ...more };
        keepMarks(invocationId, next);
        return next;
      }),
    [invocationId],
  );
  useEffect(() => {
    if (isForeign) add({ isForeign });
  }, [isForeign, add]);
  useEffect(() => {
    if (hasEnded) add({ hasEnded });
  }, [hasEnded, add]);
  const onChecked = useCallback(
    (finding: Finding) => {
      add({ isRefused: finding === "refused" });
      record(finding);
    },
    [add, record],
  );
  const isRefused = marks.isRefused || check === "refused";
  const isForeignNow = marks.isForeign || isForeign;
  // A head that was asked for before the answer came may be older than the answer.
  const newest = head === null ? null : Math.max(head, result.computedAtBlock);
  return {
    ...{ end, steps, isRefused, onChecked },
    check: isRefused ? "refused" : check,
    hasEnded: marks.hasEnded || hasEnded,
    isForeign: isForeignNow,
    window: isForeignNow
      ? { holds: false, words: "It is of another chain or another service than the one that answers now." }
      : describeWindow({
          ...{ end, isTimeOver, head: newest, isHeadKnown: headError === null },
          wasEnded: marks.hasEnded,
        }),
  };
}
