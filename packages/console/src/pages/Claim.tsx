import { checkClaimRecord } from "@assay/client";
import type { ClaimDetail } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { ChallengeForm } from "../claims/ChallengeForm.js";
import { ClaimTimeline } from "../claims/ClaimTimeline.js";
import { AssertionSentence, statusWords, titleOf } from "../claims/ClaimWords.js";
import { linkToRecordForm } from "../form/linkToForm.js";
import { NodeWords } from "../market/NodeWords.js";
import { useNode } from "../market/useNode.js";
import { Link } from "../routing/router.js";
import type { PageProps } from "../routing/routes.js";
import { assay } from "../service/assay.js";
import { CodeBlock } from "../ui/Copy.js";
import { Facts } from "../ui/Facts.js";
import { formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Named } from "../ui/Named.js";
import { claimName } from "../ui/names.js";
import { Fetched } from "../ui/Status.js";
import { CheckPanel } from "../verify/CheckPanel.js";
import type { CheckStep, PlannedStep } from "../verify/checkStep.js";
import "../styles/records.css";

const CLAIM_EVERY_MS = 5_000;

const plan: readonly PlannedStep[] = [
  { name: "id", title: "Id" },
  { name: "receipt", title: "Survival hash" },
  { name: "status", title: "Status" },
];

/** One claim: its assertion, the challenges to it, its status. */
export default function ClaimPage({ params: { id = "" } }: PageProps) {
  const query = useQuery({
    queryKey: ["claim", id],
    queryFn: () => assay.claim(id),
    enabled: claimName.pattern.test(id),
    refetchInterval: ({ state }) => (state.data?.status === "open" ? CLAIM_EVERY_MS : false),
  });
  return (
    <div className="page">
      <h1>{query.data ? titleOf(query.data.assertion) : "Claim"}</h1>
      <Named name={id} by={claimName}>
        <Fetched query={query} what="the claim">
          {(claim) => <ClaimView claim={claim} />}
        </Fetched>
      </Named>
    </div>
  );
}

function ClaimView({ claim }: { readonly claim: ClaimDetail }) {
  const [status, tone] = statusWords[claim.status];
  const { claimId, survivalHash, reward } = claim;
  const node = useNode();
  const hasReward = reward.rewardUsd > 0;
  return (
    <>
      <header className={`standing standing-${tone}`}>
        <p className="standing-title">{status}</p>
        <p>
          {claim.status === "falsified" && "This is not true: "}
          <AssertionSentence assertion={claim.assertion} />
        </p>
      </header>
      <div className="columns">
        <section className="card">
          <h2>Timeline</h2>
          <ClaimTimeline claim={claim} />
        </section>
        <section className="card">
          <h2>Terms</h2>
          <Facts
            rows={[
              [
                "Reward",
                hasReward ? <strong key="reward">{formatUsd(reward.rewardUsd)}</strong> : "none is offered",
              ],
              [
                hasReward ? "Owed by" : "Opened by",
                <Hash key="opener" value={claim.opener} label="opener" />,
              ],
              ["Claim id", <Hash key="id" value={claimId} label="claim id" />],
              [
                "Hash of its receipt",
                survivalHash ? (
                  <span key="hash">
                    <Hash value={survivalHash} label="survival hash" />{" "}
                    <span className="soft">fixed when it was opened</span>
                  </span>
                ) : (
                  "none: a claim about bytecode has no receipt"
                ),
              ],
              [
                "Payment",
                claim.invocationId && (
                  <Link key="receipt" href={`/receipts/${claim.invocationId}`}>
                    receipt
                  </Link>
                ),
              ],
              [
                "On chain",
                claim.breadcrumb &&
                  (claim.breadcrumb.transaction ? (
                    <Hash key="crumb" value={claim.breadcrumb.transaction} label="transaction" />
                  ) : (
                    claim.breadcrumb.status
                  )),
              ],
            ]}
          />
          {hasReward && <p className="soft">{reward.note}</p>}
          {claim.kind === "obligation" && (
            <p>
              <Link href={linkToRecordForm("obligation", claimId)}>Buy the recomputed verdict</Link>
            </p>
          )}
        </section>
      </div>
      {claim.status === "open" && <ChallengeForm claim={claim} />}
      <h2>Check the record</h2>
      <section className="card">
        <CheckPanel label="Recompute in this browser" plan={plan} check={() => checkRecord(claim)} />
      </section>
      <p>
        The chain itself is asked by your own node. <NodeWords />
      </p>
      <CodeBlock
        label="Command line"
        code={`npx assay recompute ${claimId} --rpc ${node} --url ${window.location.origin}`}
      />
    </>
  );
}

/** The receipt is fetched as bytes; what they say and hash to is worked out here. */
async function checkRecord(claim: ClaimDetail): Promise<readonly CheckStep[]> {
  const receipt = claim.survivalHash === null ? undefined : await assay.claimReceipt(claim.claimId);
  return (await checkClaimRecord(claim, { receipt })).steps;
}
