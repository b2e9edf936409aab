import {
  addressSchema,
  type ChallengeAnswer,
  type ChallengeEvidence,
  type ClaimDetail,
} from "@assay/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CodeCommand } from "../market/CodeCommand.js";
import { CodeInput, type CodeReading } from "../market/CodeInput.js";
import { NodeWords } from "../market/NodeWords.js";
import { useNode } from "../market/useNode.js";
import "../styles/choice.css";
import { CodeBlock } from "../ui/Copy.js";
import { formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { SignedSubmit, useSigned } from "../wallet/SignedSubmit.js";
import { resolutionWords } from "./ClaimWords.js";

/** Challenges a claim with a reading of the chain: free, and signed by the wallet that would get the reward. */
export function ChallengeForm({ claim }: { readonly claim: ClaimDetail }) {
  const queries = useQueryClient();
  const [evidence, setEvidence] = useState<ChallengeEvidence | string>("");
  const [problem, setProblem] = useState<string>();
  const mutation = useSigned<ChallengeEvidence, ChallengeAnswer>((client, given) =>
    client.challengeClaim(claim.claimId, given),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(typeof evidence === "string" ? evidence || "Enter what the chain shows." : undefined);
    if (typeof evidence === "string") return;
    mutation.mutate(evidence, {
      onSettled: () => void queries.invalidateQueries({ queryKey: ["claim", claim.claimId] }),
    });
  };
  return (
    <section className="card stack">
      <h2>Prove it wrong</h2>
      <p>
        {claim.assertion.type === "upgrade_window"
          ? "Name one block at which the contract ran other code than it says, and the address of that code."
          : "Enter the code that your own node shows."}{" "}
        It costs nothing, is signed and stays on record, right or wrong.{" "}
        {claim.reward.rewardUsd > 0
          ? `The first valid counterexample is owed ${formatUsd(claim.reward.rewardUsd)} by the opener.`
          : "No reward is offered."}
      </p>
      <form className="stack" onSubmit={submit} noValidate>
        {claim.assertion.type === "upgrade_window" ? (
          <UpgradeEvidence claim={claim} onChange={setEvidence} />
        ) : (
          <CodeInput
            what={`${claim.assertion.address} at block ${claim.assertion.toBlock}`}
            onReading={(reading) => setEvidence(toEvidence(reading))}
          />
        )}
        {problem && (
          <p className="bad" role="alert">
            {problem}
          </p>
        )}
        <SignedSubmit label="Sign and challenge" mutation={mutation} />
      </form>
      <FindIt claim={claim} />
      {mutation.data && <Answer answer={mutation.data} />}
    </section>
  );
}

/** How to find what a challenge needs. */
function FindIt({ claim: { claimId, assertion } }: { readonly claim: ClaimDetail }) {
  const node = useNode();
  return (
    <div className="stack">
      {assertion.type === "upgrade_window" ? (
        <>
          <p className="soft">
            No block at hand? This command searches for one with your node, and challenges with it.{" "}
            <NodeWords />
          </p>
          <CodeBlock
            label="Search with your node"
            code={`npx assay challenge ${claimId} --scan --rpc ${node} --url ${window.location.origin}`}
          />
        </>
      ) : (
        <>
          <p className="soft">
            The code at that block, as your node returns it. <NodeWords />
          </p>
          <CodeCommand address={assertion.address} block={String(assertion.toBlock)} />
        </>
      )}
    </div>
  );
}

const toEvidence = (reading: CodeReading | string): ChallengeEvidence | string =>
  typeof reading === "string"
    ? reading
    : { bytecodeHash: reading.bytecodeHash, bytecodeBytes: reading.bytecodeBytes };

function UpgradeEvidence({
  claim: { window },
  onChange,
}: {
  readonly claim: ClaimDetail;
  onChange(evidence: ChallengeEvidence | string): void;
}) {
  const [block, setBlock] = useState("");
  const [implementation, setImplementation] = useState("");
  const [hasNone, setHasNone] = useState(false);
  const change = (next: { block?: string; implementation?: string; hasNone?: boolean }) => {
    const now = { block, implementation, hasNone, ...next };
    setBlock(now.block);
    setImplementation(now.implementation);
    setHasNone(now.hasNone);
    onChange(readUpgrade(now));
  };
  return (
    <>
      <div className="field-row">
        <label>
          Block, {window.fromBlock} to {window.toBlock}
          <input
            className="mono"
            inputMode="numeric"
            value={block}
            onChange={(event) => change({ block: event.target.value })}
          />
        </label>
        <label>
          Address of the code that it ran there
          <input
            className="mono"
            value={implementation}
            placeholder={hasNone ? "none" : "0x…"}
            disabled={hasNone}
            spellCheck={false}
            onChange={(event) => change({ implementation: event.target.value })}
          />
        </label>
      </div>
      <label className="check-line">
        <input
          type="checkbox"
          checked={hasNone}
          onChange={(event) => change({ hasNone: event.target.checked })}
        />
        There is none
      </label>
    </>
  );
}

function readUpgrade(given: {
  readonly block: string;
  readonly implementation: string;
  readonly hasNone: boolean;
}): ChallengeEvidence | string {
  const block = given.block.trim();
  const implementation = given.hasNone ? null : given.implementation.trim();
  if (!/^\d{1,15}$/.test(block)) return "The block must be a number.";
  if (implementation !== null && !addressSchema.safeParse(implementation).success)
    return "The implementation must be 0x followed by 40 hex digits, or say that there is none.";
  return { block: Number(block), implementation };
}

function Answer({ answer: { resolution, reason, reward } }: { readonly answer: ChallengeAnswer }) {
  const isWon = resolution === "counterexample_valid";
  return (
    <div className={`standing standing-${isWon ? "good" : "open"}`} role="status">
      <p className="standing-title">{resolutionWords[resolution]}</p>
      <p>{reason}</p>
      {reward && (
        <p>
          {formatUsd(reward.rewardUsd)} is owed to you by <Hash value={reward.rewardOwedBy} label="opener" />.{" "}
          {reward.note}
        </p>
      )}
    </div>
  );
}
