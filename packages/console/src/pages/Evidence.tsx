import { findCapability, ProblemError } from "@assay/client";
import type { PortableEvidence } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useCallPlace } from "../answer/useCallPlace.js";
import { writeSameCall } from "../answer/writeSameCall.js";
import { BoughtList } from "../purchase/BoughtList.js";
import { Link } from "../routing/router.js";
import type { PageProps } from "../routing/routes.js";
import { assay, useHealth } from "../service/assay.js";
import { CodeBlock } from "../ui/Copy.js";
import { Facts } from "../ui/Facts.js";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { count, formatDuration, formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Lookup } from "../ui/Lookup.js";
import { Moment } from "../ui/Moment.js";
import { Named } from "../ui/Named.js";
import { artifactName } from "../ui/names.js";
import { Empty, Fetched } from "../ui/Status.js";
import type { Finding } from "../verify/checkStep.js";
import { SavedInput } from "../verify/SavedInput.js";
import { useGiven } from "../verify/useGiven.js";
import { VerifyPanel } from "../verify/VerifyPanel.js";
import "../styles/records.css";
import "../styles/verify.css";

/** Where a shared answer came from and how to compute it again; never who paid for it or what it contains. */
export default function EvidencePage({ params: { id } }: PageProps) {
  return (
    <div className="page">
      <h1>Evidence</h1>
      {id ? (
        <Named name={id} by={artifactName}>
          <OneArtifact id={id} />
        </Named>
      ) : (
        <>
          <p className="lead">
            A shared answer can be cited by its artifact id. Anyone may see where it came from and how to
            compute it again; never who paid for it or what it contains.
          </p>
          <Lookup
            label="Artifact id, under the evidence of an answer"
            placeholder="sha256:…"
            by={artifactName}
            path="/evidence"
          />
          <BoughtList
            nothing="Shared answers that you buy in this tab are listed here."
            nameOf={({ evidenceReference }) =>
              evidenceReference.shareable ? evidenceReference.artifactId : undefined
            }
            path="/evidence"
          />
        </>
      )}
    </div>
  );
}

function OneArtifact({ id }: { readonly id: string }) {
  const query = useQuery({
    queryKey: ["evidence", id],
    queryFn: () => assay.evidence(id, { channel: "console" }),
    retry: false,
  });
  if (query.error instanceof ProblemError && query.error.status === 403)
    return (
      <Empty title="This answer is private">
        <p>
          It was made for one caller's own intent and is never shared. Anyone who has it can still{" "}
          <Link href="/verify">verify</Link> it.
        </p>
      </Empty>
    );
  return (
    <Fetched query={query} what="the evidence">
      {(evidence) => <EvidenceView evidence={evidence} />}
    </Fetched>
  );
}

function EvidenceView({ evidence }: { readonly evidence: PortableEvidence }) {
  const [given, take] = useGiven();
  const [finding, setFinding] = useState<Finding>();
  return (
    <>
      <Validity evidence={evidence} finding={finding} />
      <div className="columns">
        <section className="card">
          <h2>Origin</h2>
          <Origin evidence={evidence} />
        </section>
        <section className="card">
          <h2>Question</h2>
          <Facts rows={Object.entries(evidence.input).map(toRow)} />
          {Object.keys(evidence.input).length === 0 && <p>Nothing: the question has no input.</p>}
          <FoldOnPhone isFolded title="Fields of the answer">
            <h3>The answer holds</h3>
            <FieldPaths paths={evidence.fieldPaths} />
          </FoldOnPhone>
        </section>
      </div>
      <h2>Check the reference</h2>
      <VerifyPanel saved={evidence} isAutomatic onChecked={setFinding} />
      <Recompute evidence={evidence} />
      <section className="stack">
        <h2>Do you have the answer?</h2>
        <p>Then every check can be made, including that it is the answer this reference names.</p>
        <SavedInput what="the saved answer" onSaved={take} />
        {given && <HeldAnswer key={given.turn} answer={given.value} evidence={evidence} />}
      </section>
    </>
  );
}

const toRow = ([name, value]: [string, unknown]): [string, ReactNode] => [
  name,
  value === null ? (
    "not given"
  ) : (
    <span key={name} className="mono">
      {String(value)}
    </span>
  ),
];

/** The fields of the answer, grouped by the object that holds them. */
function FieldPaths({ paths }: { readonly paths: readonly string[] }) {
  const placeOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf(".")));
  return [...new Set(paths.map(placeOf))].map((place) => (
    <div key={place}>
      <p className="mono soft path-place">{place || "the answer"}</p>
      <ul className="paths">
        {paths
          .filter((path) => placeOf(path) === place)
          .map((path) => (
            <li key={path}>
              <code>{path.slice(place ? place.length + 1 : 0)}</code>
            </li>
          ))}
      </ul>
    </div>
  ));
}

interface ValidityProps {
  readonly evidence: PortableEvidence;
  /** Undefined until the reference was checked: before that, nothing vouches for the window. */
  readonly finding: Finding | undefined;
}

function Validity({ evidence: { validity, block }, finding }: ValidityProps) {
  const { data } = useHealth();
  const head = data?.headBlock ?? null;
  const isLive = head === null ? validity.isLive : head <= validity.validUntilBlock;
  const titles = {
    passed: isLive ? "Still holds" : "No longer holds",
    refused: "Refused: a check failed",
    unvouched: "The signer is not known",
  };
  const standing = finding === "refused" ? "bad" : finding === "passed" && isLive ? "good" : "open";
  return (
    <header className={`standing standing-${standing}`}>
      <p className="standing-title">{finding ? titles[finding] : "Not checked yet"}</p>
      <p>
        Read at block <span className="mono">{block.number}</span> and good until block{" "}
        <span className="mono">{validity.validUntilBlock}</span>, {formatDuration(validity.ttlSeconds)} in all
        {head === null
          ? "."
          : isLive
            ? `: ${count(validity.validUntilBlock - head, "block")} left.`
            : `; the chain is at ${head}.`}
      </p>
    </header>
  );
}

function Origin({ evidence }: { readonly evidence: PortableEvidence }) {
  const { capabilityId, capabilityVersion, artifactId, inputHash, resultHash, block, origin } = evidence;
  return (
    <Facts
      rows={[
        [
          "Question",
          <span key="capability">
            <Link href={`/capabilities/${capabilityId}`}>
              {findCapability(capabilityId)?.title ?? capabilityId}
            </Link>{" "}
            <small className="soft mono">
              {capabilityId} {capabilityVersion}
            </small>
          </span>,
        ],
        ["Artifact", <Hash key="artifact" value={artifactId} label="artifact id" />],
        ["Input hash", <Hash key="input" value={inputHash} label="input hash" />],
        ["Result hash", <Hash key="result" value={resultHash} label="result hash" />],
        ["Block hash", <Hash key="block" value={block.hash} label="block hash" />],
        ["Block time", <Moment key="time" at={new Date(block.timestamp * 1000).toISOString()} />],
        ["Service", origin.service],
        ["Signer", <Hash key="signer" value={origin.signer} label="signer" />],
      ]}
    />
  );
}

function Recompute({
  evidence: { recompute, input, capabilityId },
}: {
  readonly evidence: PortableEvidence;
}) {
  const place = useCallPlace();
  const capability = findCapability(capabilityId);
  if (!recompute || !capability) return <Empty title="This question is no longer sold" />;
  const given = Object.entries(input).filter(([, value]) => value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const { cli, curl } = writeSameCall(capability, input, { ...place, testKey: undefined });
  return (
    <section className="stack">
      <h2>Ask again</h2>
      <p>
        Asking the same question again costs at most {formatUsd(recompute.listPriceUsdCeiling)}.{" "}
        <Link href={`/capabilities/${capabilityId}?${query}`}>Ask it here</Link>, or:
      </p>
      <CodeBlock label="Command line" code={cli} />
      <CodeBlock label="The payment challenge, with curl" code={curl} />
    </section>
  );
}

function HeldAnswer({ answer, evidence }: { readonly answer: unknown; readonly evidence: PortableEvidence }) {
  const isSame = findArtifactId(answer) === evidence.artifactId;
  return (
    <>
      <p className={isSame ? "good" : "bad"} role="status">
        {isSame
          ? "The file names this artifact."
          : "The file is not the answer this reference names: it has another artifact id."}
      </p>
      <VerifyPanel saved={answer} isAutomatic />
    </>
  );
}

function findArtifactId(saved: unknown): unknown {
  const value = saved as { answer?: unknown; evidenceReference?: { artifactId?: unknown } } | null;
  return value?.answer === undefined ? value?.evidenceReference?.artifactId : findArtifactId(value.answer);
}
