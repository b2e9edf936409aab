import type { CapabilityResult, Verdict as VerdictName } from "@assay/protocol";

const meanings: Record<VerdictName, string> = {
  allow: "Everything that was looked at speaks for it.",
  review: "Look closer before you act.",
  block: "Do not act on this.",
};

/** Told apart by word, shape and colour, so that no one of them is needed. */
const marks: Record<VerdictName, string> = {
  allow: "M5 12.5l4.5 4.5L19 7.5",
  review: "M12 6v7.5M12 17.4v.2",
  block: "M6.5 6.5l11 11M17.5 6.5l-11 11",
};

export function Verdict({
  answer: { verdict, result, capabilityId, capabilityVersion },
  isRefused,
  isPast,
}: {
  readonly answer: CapabilityResult;
  /** A check failed: this is not what the service signed, or cannot be shown to be. */
  readonly isRefused: boolean | undefined;
  /** Its window has ended, or it is of another chain. */
  readonly isPast: boolean | undefined;
}) {
  if (isRefused)
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
  return (
    <header className={`verdict verdict-${verdict} ${isPast ? "verdict-past" : ""}`}>
      <svg className="verdict-mark" viewBox="0 0 24 24" aria-hidden="true">
        <path d={marks[verdict]} />
      </svg>
      <div>
        <h2 className="verdict-word" data-testid="verdict">
          {verdict}
        </h2>
        <p className="verdict-meaning">{meanings[verdict]}</p>
      </div>
      <p className="verdict-summary">{result.summary}</p>
      <p className="verdict-source soft mono">
        {capabilityId} {capabilityVersion}
      </p>
    </header>
  );
}
