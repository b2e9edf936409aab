import { findCapability } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { AnswerContent } from "../answer/AnswerContent.js";
import { SaveButton } from "../answer/SaveButton.js";
import { useNews } from "../answer/useNews.js";
import { Verdict } from "../answer/Verdict.js";
import { linkToForm } from "../form/linkToForm.js";
import { findRecorded, type RecordedAnswer } from "../recorded/recordedAnswers.js";
import { recordedKeys } from "../recorded/recordedKeys.js";
import { Link } from "../routing/router.js";
import type { PageProps } from "../routing/routes.js";
import { Moment } from "../ui/Moment.js";
import { Empty, Fetched } from "../ui/Status.js";
import { CheckPanel } from "../verify/CheckPanel.js";
import { answerPlan } from "../verify/checkStep.js";
import { loadVerifier, type Verifier } from "../verify/loadVerifier.js";
import { type OnArrival, useArrivalCheck } from "../verify/useArrivalCheck.js";
import "../styles/answer.css";
import "../styles/recorded.css";
import "../styles/records.css";
import "../styles/verify.css";

/** A real answer that was sold earlier, for visitors without a wallet: shown as a recording, and checked like any other. */
export default function RecordedPage({ params: { name = "" } }: PageProps) {
  const recorded = findRecorded(name);
  const query = useQuery({
    queryKey: ["recorded", name],
    enabled: recorded !== undefined,
    queryFn: async () => (await recorded?.load()) as RecordedAnswer,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!recorded)
    return (
      <Empty title="No answer was recorded under this name">
        <p>
          <Link href="/">The start page</Link> lists some.
        </p>
      </Empty>
    );
  return (
    <Fetched query={query} what="the recorded answer" isOwn>
      {(saved) => <Recording name={name} saved={saved} />}
    </Fetched>
  );
}

const onArrival: OnArrival<RecordedAnswer> = {
  plan: answerPlan,
  check: (verifier, saved) => checkRecorded(verifier, saved),
};

/** Under the keys of the service that gave it: the one that answers now never had them. */
const checkRecorded = ({ checkAnswer }: Verifier, saved: RecordedAnswer) => checkAnswer(saved, recordedKeys);

function Recording({ name, saved }: { readonly name: string; readonly saved: RecordedAnswer }) {
  const { answer } = saved;
  const news = useNews(answer);
  const { check, steps, record } = useArrivalCheck(saved, onArrival);
  const again = useCallback(async () => checkRecorded(await loadVerifier(), saved), [saved]);
  const { timestamp } = answer.result.evidence.block as { readonly timestamp?: number };
  const capability = findCapability(answer.capabilityId);
  return (
    <>
      <h1 className="recorded-title">{capability?.title ?? answer.capabilityId}</h1>
      <aside className="notice recorded-label" aria-label="Recorded answer">
        <p className="notice-title">
          <span className="tag">Recorded</span> A real answer, sold on the local chain
          {timestamp !== undefined && (
            <>
              {" "}
              on <Moment at={new Date(timestamp * 1000).toISOString()} />
            </>
          )}
        </p>
        <p>
          It shows what you would get, and it says nothing about today.{" "}
          {capability && <Link href={linkToForm(capability.id)}>Ask for yourself</Link>}
        </p>
      </aside>
      <article className="answer" aria-label={`Recorded answer of ${answer.capabilityId}`}>
        <Verdict answer={answer} news={news} check={news === undefined ? "checking" : check} isPast={false} />
        {/* What stands below the news waits for it, so that it pushes nothing down. */}
        {news && (
          <>
            {check !== "refused" && <AnswerContent answer={answer} news={news} />}
            <section className="card verify" aria-label="Verification">
              <CheckPanel
                label="Verify in this browser"
                plan={answerPlan}
                check={again}
                known={steps}
                onChecked={record}
              />
              <p className="soft">
                Checked with the keys of the service that gave it, which come with this console.
              </p>
            </section>
            <p className="answer-actions">
              <SaveButton name={`${name}.json`} value={saved} />
            </p>
          </>
        )}
      </article>
    </>
  );
}
