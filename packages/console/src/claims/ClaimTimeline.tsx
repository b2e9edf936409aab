import type { ClaimDetail } from "@assay/protocol";
import type { ReactNode } from "react";
import { Link } from "../routing/router.js";
import { useHealth } from "../service/assay.js";
import { count, formatBlocks, formatDuration, formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Moment } from "../ui/Moment.js";
import { useNow } from "../ui/useNow.js";
import { EvidenceSentence, resolutionWords } from "./ClaimWords.js";

/** The window of a claim, each challenge, and the outcome. */
export function ClaimTimeline({ claim }: { readonly claim: ClaimDetail }) {
  const { window, challenges, challengesTotal, openedAt, openedAtBlock, opener } = claim;
  const blockTimeMs = useHealth().data?.blockTimeMs;
  const unlisted = challengesTotal - challenges.length;
  const inOrder = challenges.toSorted((a, b) => a.submittedAt.localeCompare(b.submittedAt));
  return (
    <ol className="timeline">
      <Mark title="The window">
        Block <span className="mono">{window.fromBlock}</span> to{" "}
        <span className="mono">{window.toBlock}</span>, {formatBlocks(window.blocks, blockTimeMs)}.
      </Mark>
      <Mark title="Opened" at={openedAt}>
        By <Hash value={opener} label="opener" />, at block <span className="mono">{openedAtBlock}</span>
        <LogEntry index={claim.logIndex} />.
      </Mark>
      {unlisted > 0 && (
        <Mark title={`${count(unlisted, "earlier challenge")} not shown`}>The newest are.</Mark>
      )}
      {inOrder.map((challenge) => (
        <Mark
          key={challenge.challengeId}
          title="Challenged"
          at={challenge.submittedAt}
          tone={challenge.resolution === "counterexample_valid" ? "bad" : undefined}
        >
          <EvidenceSentence challenge={challenge} /> <strong>{resolutionWords[challenge.resolution]}</strong>{" "}
          By <Hash value={challenge.wallet} label="challenger" />
          <LogEntry index={challenge.logIndex} />.
        </Mark>
      ))}
      <End claim={claim} />
    </ol>
  );
}

function LogEntry({ index }: { readonly index: number | null }) {
  if (index === null) return null;
  return (
    <>
      , <Link href={`/log?entry=${index}`}>log entry {index}</Link>
    </>
  );
}

function Mark({
  title,
  at,
  tone,
  children,
}: {
  readonly title: string;
  readonly at?: string | undefined;
  readonly tone?: "good" | "bad" | "open" | undefined;
  readonly children: ReactNode;
}) {
  return (
    <li className={tone ? `mark mark-${tone}` : "mark"}>
      <p className="mark-title">
        {title} {at && <Moment at={at} />}
      </p>
      <p>{children}</p>
    </li>
  );
}

function End({ claim: { status, deadline, resolvedAt, winner, reward } }: { readonly claim: ClaimDetail }) {
  const leftSeconds = Math.max(0, Math.round((Date.parse(deadline) - useNow()) / 1000));
  if (status === "falsified")
    return (
      <Mark title="Proven false" at={resolvedAt ?? undefined} tone="bad">
        {winner && (
          <>
            <Hash value={winner} label="winner" /> is owed{" "}
            {reward.rewardUsd > 0 ? formatUsd(reward.rewardUsd) : "no reward"}.{" "}
          </>
        )}
        {reward.note}
      </Mark>
    );
  if (status === "survived")
    return (
      <Mark title="Survived" at={resolvedAt ?? deadline} tone="good">
        Nobody proved it wrong before its deadline. It does not cover any later block.
      </Mark>
    );
  return (
    <Mark title="Deadline" at={deadline} tone="open">
      {leftSeconds > 0
        ? `Anyone may prove it wrong for another ${formatDuration(leftSeconds)}.`
        : "The deadline has passed; the verdict is about to be written."}
    </Mark>
  );
}
