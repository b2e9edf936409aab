import { ProblemError } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import { useCallback, useEffect, useState } from "react";
import { HEAD_EVERY_MS, useDescription, useHealth, useReceipt } from "../service/assay.js";
import { useIsPast } from "../ui/useIsPast.js";
import { type AnswerMarks, findMarks, keepMarks } from "./answerMarks.js";
import { type AnswerEnd, endOf } from "./endOf.js";
import { type ArrivalCheck, useArrivalCheck } from "./useArrivalCheck.js";

/** Processes that share a service may be as many blocks apart, and the one that answers now behind the one that sold. */
const LARGEST_LAG_BLOCKS = 5;

export interface Standing extends AnswerMarks {
  readonly check: ArrivalCheck;
  readonly end: AnswerEnd;
  /** Tells what a check of the answer found. */
  onChecked(isRefused: boolean): void;
}

/** How an answer stands with the service and the chain that answer now. What has ended or is foreign never becomes good again. */
export function useStanding(answer: CapabilityResult, arrivedAtMs: number | undefined): Standing {
  const { invocationId, result, evidenceReference } = answer;
  const end = endOf(answer, arrivedAtMs);
  const isTimeOver = useIsPast(end.atMs);
  const [check, tellCheck] = useArrivalCheck(answer);
  const [marks, setMarks] = useState(() => findMarks(invocationId));
  const { data: health, dataUpdatedAt } = useHealth();
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
    (isHeadNewer && head !== null && head + LARGEST_LAG_BLOCKS < result.computedAtBlock) ||
    isOtherSigner ||
    isUnknown;
  // The clock ends it too: a head that stands still must not keep it alive.
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
    (isRefused: boolean) => {
      add({ isRefused });
      tellCheck(isRefused ? "refused" : "passed");
    },
    [add, tellCheck],
  );
  const isRefused = marks.isRefused || check === "refused";
  return {
    end,
    check: isRefused ? "refused" : check,
    hasEnded: marks.hasEnded || hasEnded,
    isForeign: marks.isForeign || isForeign,
    isRefused,
    onChecked,
  };
}
