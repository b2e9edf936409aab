import { findCapability, ProblemError } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { AnswerView } from "../answer/AnswerView.js";
import { Link } from "../routing/router.js";
import type { PageProps } from "../routing/routes.js";
import { assay } from "../service/assay.js";
import { Empty, Fetched } from "../ui/Status.js";

/** An answer that its holder shared by a link; it is checked here like one that was just bought. */
export default function SharedPage({ params: { id = "", key = "" } }: PageProps) {
  const query = useQuery({
    queryKey: ["shared", id, key],
    queryFn: () => assay.sharedAnswer(id, key),
    retry: (failures, error) => failures < 1 && !(error instanceof ProblemError),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.error instanceof ProblemError && query.error.status === 404)
    return (
      <Empty title="This link shows no answer">
        <p>
          It may have been cut short. Answers about one caller's own transactions are private and have no
          link. <Link href="/">Ask for yourself</Link>.
        </p>
      </Empty>
    );
  return (
    <>
      <h1>{(query.data && findCapability(query.data.capabilityId)?.title) ?? "A shared answer"}</h1>
      <p className="lead">
        <span className="tag">Shared</span> Somebody who bought this answer shared it. It is checked in this
        browser, not by who sent the link.
      </p>
      <Fetched query={query} what="the answer">
        {(answer) => <AnswerView answer={answer} isShown />}
      </Fetched>
    </>
  );
}
