import type { ClaimRecord } from "@assay/protocol";
import type { ReactNode } from "react";
import { Link } from "../routing/router.js";
import { formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Moment } from "../ui/Moment.js";
import { AssertionSentence, statusWords, titleOf } from "./ClaimWords.js";

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
      <h3 className="claim-title">
        <Link href={`/claims/${claim.claimId}`}>{titleOf(claim.assertion)}</Link>
      </h3>
      <p className="claim-head">
        <span className={`tag tone-${tone}`}>{status}</span>
        <span className="soft">
          {claim.kind === "obligation" ? "claimed by this service" : "claimed by a wallet"}
        </span>
      </p>
      <p>
        {claim.status === "falsified" && "This is not true: "}
        <AssertionSentence assertion={claim.assertion} />
      </p>
      <p className="soft">
        {claim.resolvedAt ? (
          <>
            Decided <Moment at={claim.resolvedAt} />
          </>
        ) : (
          <>
            {claim.reward.rewardUsd > 0 ? (
              <>
                <strong>{formatUsd(claim.reward.rewardUsd)}</strong> for a counterexample, owed by{" "}
                <Hash value={claim.opener} label="opener" />
              </>
            ) : (
              "Can be challenged, without a reward"
            )}
            , until <Moment at={claim.deadline} />
          </>
        )}
        .
      </p>
      {children}
    </li>
  );
}
