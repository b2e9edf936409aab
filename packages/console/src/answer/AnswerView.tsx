import type { Settlement } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import { useEffect, useMemo, useRef } from "react";
import "../styles/answer.css";
import { useReceipt } from "../service/assay.js";
import { CodeBlock } from "../ui/Copy.js";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { VerifyPanel } from "../verify/VerifyPanel.js";
import { AnswerContent } from "./AnswerContent.js";
import { EvidenceTree } from "./EvidenceTree.js";
import { findRefreshed } from "./endOf.js";
import type { SignedTerms } from "./listPaymentDifferences.js";
import { PaymentRecord } from "./PaymentRecord.js";
import { RefreshedView } from "./RefreshedView.js";
import { SameCall } from "./SameCall.js";
import { SaveButton } from "./SaveButton.js";
import { ShareButton } from "./ShareButton.js";
import { useAnswerState } from "./useAnswerState.js";
import { useNews } from "./useNews.js";
import { Validity } from "./Validity.js";
import { Verdict } from "./Verdict.js";

interface Props {
  readonly answer: CapabilityResult;
  /** What was signed for it; not known for an answer that an older version of this page kept. */
  readonly signed?: SignedTerms | undefined;
  /** From the PAYMENT-RESPONSE header. */
  readonly settlement?: Settlement | null | undefined;
  /** Whether it has just arrived, so that the page scrolls to it. */
  readonly isNew?: boolean | undefined;
  /** When it arrived, in ms by this browser's clock; not known for an answer that an older version of this page kept. */
  readonly arrivedAtMs?: number | undefined;
  /** Whether it was opened by a link, and not bought here. */
  readonly isShown?: boolean | undefined;
  /** Whether the form it was asked with now holds something else. */
  readonly isOther?: boolean | undefined;
}

/** A paid answer as a person reads it: verdict first, then how long it holds, the findings, the reasons and the readings. */
export function AnswerView({
  answer,
  signed,
  settlement,
  isNew = false,
  arrivedAtMs,
  isOther = false,
  isShown = false,
}: Props) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isNew) return;
    article.current?.focus({ preventScroll: true });
    article.current?.scrollIntoView({ block: "start" });
  }, [isNew]);
  const { capabilityId, invocationId } = answer;
  const receipt = useReceipt(invocationId);
  const state = useAnswerState(answer, arrivedAtMs);
  const news = useNews(answer);
  const refreshed = useMemo(() => findRefreshed(answer), [answer]);
  const hasLapsed = state.window.holds !== true && !(news?.isTimeless === true && !state.isForeign);
  const isPast = hasLapsed || isOther;
  // What stands below the news waits for it, so that it pushes nothing down.
  const isReady = news !== undefined || state.isRefused;
  const saved = useMemo(
    () => (receipt.data ? { answer, receipt: receipt.data } : answer),
    [answer, receipt.data],
  );
  return (
    <article ref={article} tabIndex={-1} className="answer" aria-label={`Answer of ${capabilityId}`}>
      <p className="other-input" role="status">
        {isOther && (
          <>
            <strong>This answer is about other input</strong> than the form holds now.
          </>
        )}
      </p>
      <Verdict
        answer={answer}
        news={news}
        // Its words come with the verdict, or later than it, never before.
        check={news === undefined && state.check !== "refused" ? "checking" : state.check}
        isPast={isPast}
      />
      {isReady && (
        <>
          {!state.isRefused && (
            <>
              <Validity answer={answer} state={state} />
              {refreshed && (
                <RefreshedView refreshed={refreshed} isGood={state.check === "passed" && !isPast} />
              )}
              {news && <AnswerContent answer={answer} news={news} />}
            </>
          )}
          <VerifyPanel
            saved={saved}
            isAutomatic={state.isRefused}
            window={state.window}
            known={state.steps}
            onChecked={state.onChecked}
          />
          <PaymentRecord
            answer={answer}
            payment={{ signed, settlement, receipt: receipt.data }}
            isRefused={state.isRefused}
          >
            <p className="answer-actions">
              <SaveButton name={`${capabilityId}-${invocationId}.json`} value={saved} />
              {answer.evidenceReference.shareable && !isShown && !state.isRefused && (
                <ShareButton answer={answer} />
              )}
            </p>
          </PaymentRecord>
          {state.isRefused ? (
            <details className="refused-content">
              <summary>Content of the refused answer</summary>
              {news && <AnswerContent answer={answer} news={news} />}
              <Folds answer={answer} />
            </details>
          ) : (
            <Folds answer={answer} />
          )}
        </>
      )}
    </article>
  );
}

function Folds({ answer }: { readonly answer: CapabilityResult }) {
  return (
    <FoldOnPhone isFolded title="Evidence, and the call from code">
      <section className="folds">
        <details>
          <summary>Everything that was found</summary>
          <EvidenceTree value={answer.result.evidence.findings} isOpen />
        </details>
        <details>
          <summary>All evidence</summary>
          <EvidenceTree value={answer.result.evidence} isOpen={false} />
        </details>
        <details>
          <summary>Raw JSON</summary>
          <CodeBlock code={JSON.stringify(answer, null, 2)} label="The answer as received" />
        </details>
        <details>
          <summary>The same call from a terminal or from code</summary>
          <SameCall answer={answer} />
        </details>
      </section>
    </FoldOnPhone>
  );
}
