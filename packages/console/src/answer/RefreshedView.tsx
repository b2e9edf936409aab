import type { RefreshedAnswer } from "@assay/protocol";
import { useHealth } from "../service/assay.js";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { Moment } from "../ui/Moment.js";
import { Sentence } from "../ui/Sentence.js";
import { useIsPast } from "../ui/useIsPast.js";
import { EffectsView } from "./EffectsView.js";
import { FiguresView } from "./FiguresView.js";
import { useNews } from "./useNews.js";

interface Props {
  readonly refreshed: RefreshedAnswer;
  /** Whether the answer around it was checked and holds; else it has no verdict's colour either. */
  readonly isGood: boolean;
}

/** The answer inside an answer: another capability's verdict, with an end of its own. */
export function RefreshedView({ refreshed, isGood }: Props) {
  const { capabilityId, capabilityVersion, verdict, result, validUntil } = refreshed;
  const head = useHealth().data?.headBlock ?? null;
  const isTimeOver = useIsPast(Date.parse(validUntil.time));
  const news = useNews(refreshed);
  const hasEnded = isTimeOver || (head !== null && head > validUntil.block);
  return (
    <section className="refreshed" aria-label={`Answered again by ${capabilityId}`}>
      <h3>Answered again</h3>
      <p className="refreshed-head">
        <strong className={`refreshed-verdict ${isGood && !hasEnded ? `stated-${verdict}` : ""}`}>
          {verdict}
        </strong>{" "}
        <span className="mono">
          {capabilityId} {capabilityVersion}
        </span>
      </p>
      <p className="verdict-detail">
        <Sentence text={news?.headline ?? result.summary} names={news?.names ?? new Map()} />
      </p>
      {news && (
        <>
          <EffectsView input={result.evidence.input} news={news} />
          <FoldOnPhone isFolded title="Its figures">
            <FiguresView news={news} />
          </FoldOnPhone>
        </>
      )}
      <dl className="facts refreshed-end">
        <dt>{hasEnded ? "Ended with" : "Ends with"}</dt>
        <dd className={hasEnded ? "bad" : undefined}>
          block <span className="mono">{validUntil.block}</span> or at <Moment at={validUntil.time} />
        </dd>
      </dl>
    </section>
  );
}
