import type { News } from "@assay/client";
import { type CapabilityResult, countReadings } from "@assay/protocol";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { count } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Moment } from "../ui/Moment.js";
import { EffectsView } from "./EffectsView.js";
import { FiguresView } from "./FiguresView.js";
import { listUnanswered } from "./listUnanswered.js";
import { Reasons } from "./Reasons.js";
import { findView } from "./views.js";

/** Everything an answer states beside its verdict: its findings, the reasons, what was read and what was not. */
export function AnswerContent({ answer, news }: Props) {
  const View = findView(answer.capabilityId);
  return (
    <>
      <EffectsView input={answer.result.evidence.input} news={news} />
      <section>
        <h3>Why</h3>
        <Reasons answer={answer} />
      </section>
      <FiguresView news={news} />
      {View && <View answer={answer} />}
      <section className="reading-notes">
        <Unread answer={answer} />
        <FoldOnPhone
          isFolded
          title={`What was read, and ${count(answer.result.limitations.length, "limit")}`}
        >
          <details>
            <summary>What was read, and where</summary>
            <ReadAt answer={answer} />
          </details>
          <details className="limits">
            <summary>{count(answer.result.limitations.length, "limit")} of this answer</summary>
            <ul>
              {answer.result.limitations.map((limitation) => (
                <li key={limitation}>{limitation}</li>
              ))}
            </ul>
          </details>
        </FoldOnPhone>
      </section>
    </>
  );
}

interface Props {
  readonly answer: CapabilityResult;
  readonly news: News;
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
          ? "No chain readings; the evidence holds what was read"
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
  if (unanswered.length === 0) return <p className="good">Everything asked for was answered.</p>;
  return (
    <>
      <h3>What could not be read</h3>
      <ul className="unread">
        {unanswered.map(({ path, name, reason }) => (
          <li key={path} title={path}>
            <strong>{name}</strong>: {reason}
          </li>
        ))}
      </ul>
    </>
  );
}
