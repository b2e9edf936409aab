import { listUncovered } from "@assay/client";
import { useEffect, useMemo } from "react";
import { isFromRecording, recordedKeys } from "../recorded/recordedKeys.js";
import { type Anchors, learnAnchors, useTrust } from "./anchors.js";
import { CheckPanel } from "./CheckPanel.js";
import {
  addVoucher,
  answerPlan,
  type CheckStep,
  evidencePlan,
  type Finding,
  type PlannedStep,
  receiptPlan,
} from "./checkStep.js";
import { findAnswer, findReceipt, isPaidByVoucher } from "./findAnswer.js";
import { KeyWarning } from "./KeyWarning.js";
import { loadVerifier, type Verifier } from "./loadVerifier.js";
import { TrustedKeys } from "./TrustedKeys.js";
import { useWindow, type Window } from "./useWindow.js";

interface Kind {
  readonly plan: readonly PlannedStep[];
  check(
    verifier: Verifier,
    saved: unknown,
    keys: Pick<Anchors, "signer" | "logKey"> | undefined,
  ): readonly CheckStep[] | Promise<readonly CheckStep[]>;
}

const kinds: Readonly<Record<"answer" | "receipt" | "evidence", Kind>> = {
  answer: { plan: answerPlan, check: ({ checkAnswer }, saved, keys) => checkAnswer(saved, keys) },
  receipt: { plan: receiptPlan, check: ({ checkReceipt }, saved, keys) => checkReceipt(saved, keys) },
  evidence: { plan: evidencePlan, check: ({ checkEvidence }, saved, keys) => checkEvidence(saved, keys) },
};

const planOf = (saved: unknown): readonly PlannedStep[] => {
  const kind = kindOf(saved);
  const receipt = kind === "receipt" ? saved : findReceipt(saved);
  return isPaidByVoucher(receipt) ? addVoucher(kinds[kind].plan) : kinds[kind].plan;
};

export function kindOf(saved: unknown): keyof typeof kinds {
  if (typeof saved !== "object" || saved === null || "answer" in saved || "verdict" in saved) return "answer";
  if ("fieldPaths" in saved) return "evidence";
  return "payment" in saved ? "receipt" : "answer";
}

/** A recorded answer is of a chain that is gone. */
const recordingWindow: Window = {
  holds: undefined,
  words: "It was recorded on a local chain, and says nothing about Base.",
};

/**
 * Checks an answer (with its receipt or alone), a receipt or an evidence reference in the browser, against the keys this
 * browser knows.
 */
export function VerifyPanel({
  saved,
  isAutomatic,
  takesRecordings = false,
  window: shown,
  known,
  onChecked,
}: {
  readonly saved: unknown;
  readonly isAutomatic?: boolean | undefined;
  /** Whether it may be a recorded answer, whose keys vouch for nothing that is bought. */
  readonly takesRecordings?: boolean | undefined;
  /** What the page shows about whether the answer holds, so that both agree. */
  readonly window?: Window | undefined;
  /** Steps that the page checked by itself. */
  readonly known?: readonly CheckStep[] | undefined;
  /** Receives the conclusion, so that a refused answer is not shown as if it were good. */
  onChecked?: ((finding: Finding) => void) | undefined;
}) {
  const trust = useTrust();
  const { check } = kinds[kindOf(saved)];
  const plan = useMemo(() => planOf(saved), [saved]);
  const answer = useMemo(() => findAnswer(saved), [saved]);
  const stillHolds = useWindow(answer);
  const isRecording = takesRecordings && answer !== undefined && isFromRecording(answer);
  // The rule of an answer is loaded when it is checked; all of them are four times as much as the page itself.
  useEffect(() => void loadVerifier().catch(() => undefined), []);
  return (
    <section className="card verify" aria-label="Verification">
      <KeyWarning trust={trust} />
      <CheckPanel
        label="Verify in this browser"
        plan={plan}
        check={async () =>
          check(await loadVerifier(), saved, isRecording ? recordedKeys : await learnAnchors())
        }
        isAutomatic={isAutomatic}
        known={known}
        onChecked={onChecked}
        uncovered={
          answer && ((steps) => listUncovered({ result: answer, receipt: findReceipt(saved) }, steps))
        }
        window={isRecording ? recordingWindow : answer && (shown ?? stillHolds)}
      />
      {isRecording ? (
        <p className="soft">
          Checked with the keys of the service that sold it for show, which come with this console. They show
          that the file is as it was recorded; this service's own keys did not sign it.
        </p>
      ) : (
        <TrustedKeys trust={trust} />
      )}
    </section>
  );
}
