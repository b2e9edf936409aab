import type { ClaimRecord } from "@assay/protocol";
import type { ReactNode } from "react";
import { Link } from "../routing/router.js";
import { formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Moment } from "../ui/Moment.js";
import { AssertionSentence, statusWords } from "./ClaimWords.js";

/** One claim in a list. */
export function ClaimCard({
  claim,
  children,
}: {
  readonly claim: ClaimRecord;
  readonly children?: ReactNode;
}) {
  const [status, tone] = statusWords[claim.status];
  return (
    <li className="card claim">
      <p className="claim-head">
        <span className={`tag tone-${tone}`}>{status}</span>
        <span className="tag">{claim.kind === "obligation" ? "by this service" : "by a wallet"}</span>
        <Link href={`/claims/${claim.claimId}`}>
          {claim.kind === "obligation" ? "Obligation" : "Claim"}{" "}
          <span className="mono">{claim.claimId.slice(0, 10)}…</span>
        </Link>
      </p>
      <p>
        <AssertionSentence assertion={claim.assertion} />
      </p>
      <p className="soft">
        {claim.reward.rewardUsd > 0 ? (
          <>
            <strong>{formatUsd(claim.reward.rewardUsd)}</strong> for a counterexample, owed by{" "}
            <Hash value={claim.opener} label="opener" />
          </>
        ) : (
          "No reward is offered"
        )}
        , until <Moment at={claim.deadline} />.
      </p>
      {children}
    </li>
  );
}
