import type { News } from "@assay/client";
import type { CapabilityResult, Verdict as VerdictName } from "@assay/protocol";
import { Sentence } from "../ui/Sentence.js";
import type { ArrivalCheck } from "../verify/useArrivalCheck.js";

const meanings: Record<VerdictName, string> = {
  allow: "Nothing that speaks against it was found.",
  review: "Check the reasons before you act.",
  block: "Do not act on this.",
};

/** Word, shape and colour each identify the verdict, so that none of them is needed. */
const marks: Record<VerdictName, string> = {
  allow: "M5 12.5l4.5 4.5L19 7.5",
  review: "M12 6v7.5M12 17.4v.2",
  block: "M6.5 6.5l11 11M17.5 6.5l-11 11",
};

interface Props {
  readonly answer: CapabilityResult;
  /** Undefined while it is read; nothing is shown before. */
  readonly news: News | undefined;
  /** The result of its check; only an answer that passed has a verdict's colour. */
  readonly check: ArrivalCheck;
  /** Whether it no longer holds, is not known to hold, or is about other input. */
  readonly isPast: boolean;
}

export function Verdict({ answer, news, check, isPast }: Props) {
  const { verdict, capabilityId, capabilityVersion } = answer;
  if (check === "refused") return <Refused answer={answer} />;
  const tone = check === "passed" && !isPast ? "" : "verdict-past";
  return (
    <header
      className={`verdict verdict-${verdict} ${tone} ${check === "checking" ? "verdict-checking" : ""}`}
    >
      {/* Rendered before it has text: a screen reader speaks only changes. */}
      <p className="visually-hidden" role="status">
        {check === "checking" ? "Checking the answer." : `Verdict: ${verdict}. ${meanings[verdict]}`}
      </p>
      {/* The verdict holds its place invisibly until it is checked, so that nothing jumps. */}
      <svg className="verdict-mark" viewBox="0 0 24 24" aria-hidden="true">
        <path d={marks[verdict]} />
      </svg>
      <div className="verdict-head">
        <h2 className="verdict-word" data-testid="verdict">
          {verdict}
        </h2>
        <p className="verdict-meaning">{meanings[verdict]}</p>
        {check === "checking" && (
          <p className="verdict-wait" aria-hidden="true">
            Checking…
          </p>
        )}
      </div>
      {check === "unchecked" && (
        <p className="verdict-unchecked bad" role="alert">
          <strong>Not checked.</strong> The verifier could not be loaded. Verify it below before you rely on
          it.
        </p>
      )}
      {check === "unvouched" && (
        <p className="verdict-unchecked bad" role="alert">
          <strong>The signer is not known.</strong> The service's key could not be loaded, so anyone may have
          written this. Connect to the service once, or enter its keys below.
        </p>
      )}
      <div className="verdict-news">
        <p className="verdict-headline">{news && <Sentence text={news.headline} names={news.names} />}</p>
        {news?.detail && (
          <p className="verdict-detail">
            <Sentence text={news.detail} names={news.names} />
          </p>
        )}
      </div>
      <p className="verdict-source soft" hidden={news === undefined}>
        <span className="mono">
          {capabilityId} {capabilityVersion}
        </span>
      </p>
    </header>
  );
}

function Refused({
  answer: { verdict, capabilityId, capabilityVersion },
}: {
  readonly answer: CapabilityResult;
}) {
  return (
    <header className="verdict verdict-block">
      <svg className="verdict-mark" viewBox="0 0 24 24" aria-hidden="true">
        <path d={marks.block} />
      </svg>
      <div>
        <h2 className="verdict-word" data-testid="verdict">
          Refused: a check failed
        </h2>
        <p className="verdict-meaning" role="alert">
          It says <s className="mono">{verdict}</s>. Do not rely on any of it; the failed check is named
          below.
        </p>
      </div>
      <p className="verdict-source soft mono">
        {capabilityId} {capabilityVersion}
      </p>
    </header>
  );
}
