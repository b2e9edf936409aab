import type { ClaimFeed } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { ClaimCard } from "../claims/ClaimCard.js";
import { OpenClaimForm } from "../claims/OpenClaimForm.js";
import { assay } from "../service/assay.js";
import { readResolvedClaims } from "../service/pageData.js";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { Lookup } from "../ui/Lookup.js";
import { claimName } from "../ui/names.js";
import { Empty, Fetched } from "../ui/Status.js";
import "../styles/records.css";

const MAX_CLAIMS = 100;
const FEED_EVERY_MS = 10_000;

/** Claims about the chain that may still be challenged. */
export default function Claims() {
  const query = useQuery({
    queryKey: ["claims"],
    queryFn: () => assay.claims({ limit: MAX_CLAIMS }),
    refetchInterval: FEED_EVERY_MS,
  });
  return (
    <div className="page">
      <h1>Claims</h1>
      <p className="lead">
        Somebody says something about a contract and stands by it. Anyone may prove it wrong, for free; the
        chain decides, not an opinion, and who was wrong pays the reward directly.
      </p>
      <section className="stack">
        <h2>Open now</h2>
        <Fetched query={query} what="open claims">
          {(feed) => <Feed feed={feed} />}
        </Fetched>
      </section>
      {/* Shown after the list has loaded, which would otherwise push it down. */}
      {!query.isPending && (
        <>
          <Resolved isOff={query.data?.listFeed === "feature_gated"} />
          <section className="stack">
            <h2>Any claim by its id</h2>
            <Lookup label="Claim id" placeholder="0x…" by={claimName} path="/claims" />
          </section>
          <FoldOnPhone isFolded title="Open a claim of your own">
            <OpenClaimForm />
          </FoldOnPhone>
        </>
      )}
    </div>
  );
}

/** Claims that are decided: proven false, or never contradicted. */
function Resolved({ isOff }: { readonly isOff: boolean }) {
  const query = useQuery({
    queryKey: ["claims", "resolved"],
    queryFn: readResolvedClaims,
    enabled: !isOff,
    // Who has just seen a claim decided finds it here.
    refetchOnMount: "always",
    refetchInterval: FEED_EVERY_MS,
  });
  if (isOff) return null;
  return (
    <section className="stack">
      <h2>Decided</h2>
      {query.data && query.data.claims.length > 0 ? (
        <ul className="list">
          {query.data.claims.map((claim) => (
            <ClaimCard key={claim.claimId} claim={claim} />
          ))}
        </ul>
      ) : (
        <p className="soft">
          {query.data
            ? "No claim has been decided yet."
            : query.error
              ? "They could not be read now."
              : "Asking…"}
        </p>
      )}
    </section>
  );
}

function Feed({ feed: { claims, listFeed, note } }: { readonly feed: ClaimFeed }) {
  if (claims.length === 0)
    return listFeed === "enabled" ? (
      <Empty title="No claim is open">
        <p>Open one below.</p>
      </Empty>
    ) : (
      <Empty title="The list is switched off here">
        <p>{note} A claim can still be looked up by its id.</p>
      </Empty>
    );
  return (
    <ul className="list">
      {claims.map((claim) => (
        <ClaimCard key={claim.claimId} claim={claim} />
      ))}
    </ul>
  );
}
