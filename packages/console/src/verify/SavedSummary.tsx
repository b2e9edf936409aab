import type { CapabilityResult } from "@assay/protocol";
import { Reasons } from "../answer/Reasons.js";
import "../styles/answer.css";
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
      {answer ? <StatedAnswer answer={answer} /> : <p>It holds no answer that can be shown.</p>}
    </section>
  );
}

function StatedAnswer({ answer }: { readonly answer: CapabilityResult }) {
  const { verdict, capabilityId, result } = answer;
  return (
    <>
      <p className="stated">
        <strong className="stated-verdict">{verdict}</strong> <span className="mono">{capabilityId}</span>,
        read at block <span className="mono">{result.computedAtBlock}</span>, valid until{" "}
        <span className="mono">{result.validUntilBlock}</span>
      </p>
      <p>{result.summary}</p>
      <Reasons answer={answer} heading="h3" />
    </>
  );
}
