import type { ClaimRecord } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { ClaimCard } from "../claims/ClaimCard.js";
import { linkToRecordForm } from "../form/linkToForm.js";
import { Link } from "../routing/router.js";
import { assay, useHealth } from "../service/assay.js";
import { formatBlocks } from "../ui/format.js";
import { Empty, Fetched } from "../ui/Status.js";
import "../styles/records.css";

const MAX_CLAIMS = 100;

/** The service's own assertions, which anyone may challenge. */
export default function Obligations() {
  const query = useQuery({ queryKey: ["claims"], queryFn: () => assay.claims({ limit: MAX_CLAIMS }) });
  return (
    <div className="page">
      <h1>Obligations</h1>
      <p className="lead">
        The service's own claims. A verdict that you buy on one is recomputed against the chain when you ask,
        and comes with everything needed to compute it yourself.
      </p>
      <section className="card">
        <h2>What a verdict is good for</h2>
        <p>
          Each verdict states whether it is <em>decision grade</em>: whether the assertion could have failed
          at all. Do not base a decision on one that is not. A verdict is not decision grade when the code
          cannot be upgraded, when the window is empty or has one block, or when the claim was never open to
          challenge.
        </p>
      </section>
      <section className="stack">
        <h2>Open now</h2>
        <Fetched query={query} what="the obligations">
          {({ claims }) => <List obligations={claims.filter(({ kind }) => kind === "obligation")} />}
        </Fetched>
      </section>
    </div>
  );
}

function List({ obligations }: { readonly obligations: readonly ClaimRecord[] }) {
  const blockTimeMs = useHealth().data?.blockTimeMs;
  if (obligations.length === 0)
    return (
      <Empty title="The service has no open obligations">
        <p>
          Its operator publishes obligations from a list. <Link href="/claims">Claims</Link> of others may be
          open.
        </p>
      </Empty>
    );
  return (
    <ul className="list">
      {obligations.map((obligation) => (
        <ClaimCard key={obligation.claimId} claim={obligation}>
          <p className="soft">{gradeWords(obligation, blockTimeMs)}</p>
          <p>
            <Link className="button" href={linkToRecordForm("obligation", obligation.claimId)}>
              Ask whether it holds
            </Link>
          </p>
        </ClaimCard>
      ))}
    </ul>
  );
}

/** What is known about the grade before the code is read. */
function gradeWords({ assertion, window }: ClaimRecord, blockTimeMs: number | null | undefined): string {
  if (assertion.type === "bytecode")
    return "About code at one block: once true it stays true, so its verdict is not decision grade.";
  if (window.blocks <= 1)
    return "A window of one block: nothing could change within it, so not decision grade.";
  return `Over ${formatBlocks(window.blocks, blockTimeMs)}.`;
}
