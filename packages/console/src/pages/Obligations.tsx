import type { ClaimRecord } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { ClaimCard } from "../claims/ClaimCard.js";
import { Link } from "../routing/router.js";
import { assay } from "../service/assay.js";
import { Empty, Fetched } from "../ui/Status.js";
import "../styles/records.css";

const MOST = 100;

/** What the service itself asserts, open to everybody's challenge. */
export default function Obligations() {
  const query = useQuery({ queryKey: ["claims"], queryFn: () => assay.claims({ limit: MOST }) });
  return (
    <div className="page">
      <h1>Obligations</h1>
      <p className="lead">
        The service's own claims. Buy a verdict on one for $0.001: it is recomputed against the chain when you
        ask, with everything needed to reach it yourself.
      </p>
      <section className="card">
        <h2>What a verdict is good for</h2>
        <p>
          Each verdict says whether it is <em>decision grade</em>, good enough to decide on: whether what is
          asserted could have failed at all. Let nothing depend on one that is not. That is so when the code
          has no way to be upgraded, when the window is empty or of one block, or when it was never open to
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
  if (obligations.length === 0)
    return (
      <Empty title="The service asserts nothing right now">
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
          <p className="soft">{gradeWords(obligation)}</p>
          <p>
            <Link
              className="button"
              href={`/capabilities/obligation.verdict?obligationId=${obligation.claimId}`}
            >
              Buy the verdict
            </Link>
          </p>
        </ClaimCard>
      ))}
    </ul>
  );
}

/** What can be said of the grade before anybody reads the code. */
function gradeWords({ assertion, window }: ClaimRecord): string {
  if (assertion.type === "bytecode")
    return "About code at one block: it stays true once it is true, so its verdict is not decision grade.";
  if (window.blocks <= 1)
    return "A window of one block: nothing could change within it, so not decision grade.";
  return `Over ${window.blocks} blocks; decision grade if the code could have been replaced meanwhile, which the verdict reads.`;
}
