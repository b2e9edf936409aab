import type { Settlement } from "@assay/client";
import { type CapabilityResult, countReadings } from "@assay/protocol";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import "../styles/answer.css";
import { useReceipt } from "../service/assay.js";
import { CodeBlock } from "../ui/Copy.js";
import { count } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Moment } from "../ui/Moment.js";
import { VerifyPanel } from "../verify/VerifyPanel.js";
import { EvidenceTree } from "./EvidenceTree.js";
import { findRefreshed } from "./endOf.js";
import { listUnanswered } from "./listUnanswered.js";
import { PaymentRecord } from "./PaymentRecord.js";
import { Reasons } from "./Reasons.js";
import { RefreshedView } from "./RefreshedView.js";
import { SameCall } from "./SameCall.js";
import { SaveButton } from "./SaveButton.js";
import { useStanding } from "./useStanding.js";
import { Validity } from "./Validity.js";
import { Verdict } from "./Verdict.js";

interface Props {
  readonly answer: CapabilityResult;
  /** What the PAYMENT-RESPONSE header said; not known for an answer from a file. */
  readonly settlement?: Settlement | null | undefined;
  /** Whether it has just come, and should be looked at. */
  readonly isNew?: boolean | undefined;
  /** When it came, in ms by this browser's clock; not known for what an older page has kept. */
  readonly arrivedAtMs?: number | undefined;
  /** Whether the form it was asked with now holds something else. */
  readonly isOther?: boolean | undefined;
  /** What only this capability has to show, right after the verdict. */
  readonly children?: ReactNode;
}

/** A paid answer as a person reads it: verdict first, then why, what was read and what not, and for how long. */
export function AnswerView({
  answer,
  settlement,
  isNew = false,
  arrivedAtMs,
  isOther = false,
  children,
}: Props) {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isNew) return;
    article.current?.focus({ preventScroll: true });
    article.current?.scrollIntoView({ block: "start" });
  }, [isNew]);
  const { result, capabilityId, invocationId } = answer;
  const receipt = useReceipt(invocationId);
  const standing = useStanding(answer, arrivedAtMs);
  const refreshed = useMemo(() => findRefreshed(answer), [answer]);
  const isPast = standing.hasEnded || standing.isForeign || isOther;
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
      <Verdict answer={answer} check={standing.check} isPast={isPast} />
      {!standing.isRefused && <Validity answer={answer} standing={standing} />}
      {refreshed && !standing.isRefused && (
        <RefreshedView refreshed={refreshed} isGood={standing.check === "passed" && !isPast} />
      )}
      {children}
      <div className="answer-columns">
        <section>
          <h3>Why</h3>
          <Reasons codes={result.reasonCodes} verdict={answer.verdict} summary={result.summary} />
        </section>
        <section>
          <h3>What was read</h3>
          <ReadAt answer={answer} />
          <h3>What could not be read</h3>
          <Unread answer={answer} />
        </section>
      </div>
      <VerifyPanel
        saved={saved}
        isAutomatic={standing.isRefused}
        arrivedAtMs={arrivedAtMs}
        onChecked={standing.onChecked}
      />
      <PaymentRecord answer={answer} settlement={settlement}>
        <SaveButton name={`${capabilityId}-${invocationId}.json`} value={saved} />
      </PaymentRecord>
      <Folds answer={answer} hasOwnView={children !== undefined} />
    </article>
  );
}

function Folds({ answer, hasOwnView }: { readonly answer: CapabilityResult; readonly hasOwnView: boolean }) {
  const { evidence } = answer.result;
  return (
    <section className="folds">
      <details open={!hasOwnView}>
        <summary>Findings</summary>
        <EvidenceTree value={evidence.findings} isOpen />
      </details>
      <details>
        <summary>All evidence</summary>
        <EvidenceTree value={evidence} isOpen={false} />
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
  );
}

function ReadAt({ answer: { result, evidenceReference } }: { readonly answer: CapabilityResult }) {
  const { block, rule, readings, proofs } = result.evidence;
  const { answered, unanswered } = countReadings(readings);
  const seconds = Number((block as { timestamp?: unknown } | undefined)?.timestamp);
  const { id, version } = (rule ?? {}) as { id?: string; version?: string };
  return (
    <dl className="facts">
      <dt>Block</dt>
      <dd>
        <span className="mono">{result.computedAtBlock}</span>{" "}
        <Hash value={evidenceReference.blockHash} label="block hash" />
      </dd>
      {Number.isFinite(seconds) && (
        <>
          <dt>Block time</dt>
          <dd>
            <Moment at={new Date(seconds * 1_000).toISOString()} />
          </dd>
        </>
      )}
      <dt>Readings</dt>
      <dd>
        {answered + unanswered === 0
          ? "None of the chain; the evidence holds what was read"
          : `${count(answered, "answer")} from the chain, ${unanswered} missing; ${proofs ? "with" : "without"} state proofs`}
      </dd>
      <dt>Rule</dt>
      <dd className="mono">
        {id} {version}
      </dd>
    </dl>
  );
}

function Unread({ answer: { result } }: { readonly answer: CapabilityResult }) {
  const unanswered = listUnanswered(result.evidence.readings);
  return (
    <>
      {unanswered.length === 0 ? (
        <p className="good">Everything that was asked for was answered.</p>
      ) : (
        <ul className="unread">
          {unanswered.map(({ path, reason }) => (
            <li key={path}>
              <code>{path}</code> {reason}
            </li>
          ))}
        </ul>
      )}
      <details className="limits">
        <summary>{count(result.limitations.length, "limit")} of this answer</summary>
        <ul>
          {result.limitations.map((limitation) => (
            <li key={limitation}>{limitation}</li>
          ))}
        </ul>
      </details>
    </>
  );
}
