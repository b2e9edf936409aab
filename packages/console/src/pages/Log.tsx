import type { SeenHead } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { checkLog, type LogObservation } from "../log/checkLog.js";
import { EntryList } from "../log/EntryList.js";
import { forgetSeenHead } from "../log/seenHead.js";
import { useLocalChain } from "../service/assay.js";
import { CodeBlock } from "../ui/Copy.js";
import { Facts } from "../ui/Facts.js";
import { count } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Fetched } from "../ui/Status.js";
import { useTrust } from "../verify/anchors.js";
import { KeyWarning } from "../verify/KeyWarning.js";
import { TrustedKeys } from "../verify/TrustedKeys.js";
import "../styles/records.css";
import "../styles/verify.css";

/** The transparency log: its newest signed head, and whether its past is still what it was. */
export default function Log() {
  const trust = useTrust();
  const query = useQuery({
    queryKey: ["log head", trust.anchors?.logKey],
    queryFn: () => checkLog(trust.anchors?.logKey),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <div className="page">
      <h1>Log</h1>
      <p className="lead">
        Everything that was sold, claimed and published here, in one list that cannot be rewritten unnoticed.
        This browser remembers the last state it saw, and asks for proof that nothing before it changed.
      </p>
      <KeyWarning trust={trust} />
      <Fetched query={query} what="the log's head">
        {(observation) => (
          <LogView
            observation={observation}
            trust={trust}
            again={() => void query.refetch()}
            isBusy={query.isFetching}
          />
        )}
      </Fetched>
    </div>
  );
}

function LogView({
  observation: { check, seen, checkpoint },
  trust,
  again,
  isBusy,
}: {
  readonly observation: LogObservation;
  readonly trust: ReturnType<typeof useTrust>;
  again(): void;
  readonly isBusy: boolean;
}) {
  const { head } = check;
  return (
    <>
      {head ? (
        <div className={`standing ${seen ? "standing-good" : ""}`} role="status">
          <p className="standing-title">{seen ? "Its past is unchanged" : "Seen for the first time"}</p>
          {seen ? (
            <p>{check.detail}</p>
          ) : (
            <p>
              {count(head.size, "entry", "entries")}, signed by{" "}
              <Hash value={head.publicKey} label="log key" />.
            </p>
          )}
        </div>
      ) : (
        <Alarm detail={check.detail} again={again} />
      )}
      <div>
        <button type="button" className="quiet" disabled={isBusy} onClick={again}>
          {isBusy ? "Asking…" : "Ask for the newest head"}
        </button>
      </div>
      <div className="columns">
        {head && (
          <details className="card">
            <summary>The newest head, as it was signed</summary>
            <HeadFacts head={head} />
            <CodeBlock label="Checkpoint" code={checkpoint} />
          </details>
        )}
        {seen && (
          <details className="card">
            <summary>The head that this browser saw before</summary>
            <HeadFacts head={seen} />
          </details>
        )}
        <section className="card" aria-label="Keys">
          <TrustedKeys trust={trust} />
        </section>
      </div>
      {/* Last, because it grows. */}
      {head && <EntryList head={head} />}
    </>
  );
}

function Alarm({ detail, again }: { readonly detail: string; again(): void }) {
  const { data: localChain } = useLocalChain();
  return (
    <div className="alarm" role="alert">
      <p className="alarm-title">The log cannot be trusted</p>
      <p>{detail}</p>
      <p>
        Save this page and compare it with others who watch the log. Earlier receipts still prove what was
        recorded then.
      </p>
      {localChain && (
        <p>
          Each start of the service on the local chain begins a new chain and a new log. If you have restarted
          it, forget the old head.
        </p>
      )}
      <button
        type="button"
        className="quiet"
        onClick={() => {
          forgetSeenHead();
          again();
        }}
      >
        Forget the remembered head
      </button>
    </div>
  );
}

function HeadFacts({ head: { origin, size, root, publicKey } }: { readonly head: SeenHead }) {
  return (
    <Facts
      rows={[
        ["Entries", <strong key="size">{size}</strong>],
        ["Root", <Hash key="root" value={root} label="root" />],
        [
          "Name",
          <span key="origin" className="mono">
            {origin}
          </span>,
        ],
        ["Key", <Hash key="key" value={publicKey} label="log key" />],
      ]}
    />
  );
}
