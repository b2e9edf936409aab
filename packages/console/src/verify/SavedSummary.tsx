import type { CapabilityResult } from "@assay/protocol";
import { Reasons } from "../answer/Reasons.js";
import { useNews } from "../answer/useNews.js";
import "../styles/answer.css";
import { isFromRecording } from "../recorded/recordedKeys.js";
import { Sentence } from "../ui/Sentence.js";
import { findAnswer } from "./findAnswer.js";

interface Props {
  readonly name: string;
  readonly saved: unknown;
  /** Undefined until it was checked. */
  readonly isRefused: boolean | undefined;
}

/** The content of a file before it is checked, so it has no verdict's colour. */
export function SavedSummary({ name, saved, isRefused }: Props) {
  const answer = findAnswer(saved);
  return (
    <section className={isRefused ? "card refused-file" : "card"} aria-label="Content of the file">
      <h2>Content of the file</h2>
      {isRefused && (
        <p className="bad notice-title" role="alert">
          Refused: a check failed. Do not rely on it.
        </p>
      )}
      <p className="soft mono">{name}</p>
      {answer && isRefused === false && isFromRecording(answer) && (
        <p className="notice recorded-label">
          <span className="tag">Recorded</span> A real answer, sold on a local chain to be shown. It says
          nothing about Base, and nothing about today.
        </p>
      )}
      {answer ? <StatedAnswer answer={answer} /> : <p>It holds no answer that can be shown.</p>}
    </section>
  );
}

function StatedAnswer({ answer }: { readonly answer: CapabilityResult }) {
  const { verdict, capabilityId, result } = answer;
  const news = useNews(answer);
  return (
    <>
      <p className="stated">
        <strong className="stated-verdict">{verdict}</strong> <span className="mono">{capabilityId}</span>,
        read at block <span className="mono">{result.computedAtBlock}</span>, valid until{" "}
        <span className="mono">{result.validUntilBlock}</span>
      </p>
      <p>
        <Sentence text={news?.headline ?? ""} names={news?.names ?? new Map()} />
      </p>
      <Reasons answer={answer} heading="h3" />
    </>
  );
}
