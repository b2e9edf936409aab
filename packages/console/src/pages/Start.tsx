import { findCapability, type ListedCapability } from "@assay/client";
import type { CapabilityEntry } from "@assay/protocol";
import "../styles/start.css";
import { AskBox } from "../form/AskBox.js";
import { getContractCapability } from "../form/getContractCapability.js";
import { linkToForm } from "../form/linkToForm.js";
import { listSamples } from "../form/sampleInputs.js";
import { describeRange } from "../purchase/PriceTag.js";
import { FirstRecorded } from "../recorded/FirstRecorded.js";
import { Link, navigate } from "../routing/router.js";
import { useCatalog, useHealth, useLocalChain } from "../service/assay.js";
import { formatDuration } from "../ui/format.js";
import { partNames } from "../ui/names.js";
import { Fetched } from "../ui/Status.js";
import { Words } from "../ui/Words.js";
import { useTrust } from "../verify/anchors.js";
import { KeyWarning } from "../verify/KeyWarning.js";
import { usePayer } from "../wallet/Payer.js";

const FIRST_WALLET = "alice";

export default function Start() {
  const trust = useTrust();
  return (
    <>
      <KeyWarning trust={trust} />
      <div className="hero">
        <section>
          <h1>Know what you are about to sign</h1>
          <p className="lead">
            Assay answers questions about Base with a verdict: <strong className="good">allow</strong>,{" "}
            <strong className="warn">review</strong> or <strong className="bad">block</strong>. With it come
            the evidence, what could not be read, and for how many blocks it holds.
          </p>
          <AskBox />
          <TryNow />
          <FirstRecorded />
          <ul className="promises">
            <li>
              <strong>See the price first.</strong> Pay per call from a wallet; there are no accounts.
            </li>
            <li>
              <strong>Nothing unread passes as safe.</strong> Every reading that failed is listed.
            </li>
            <li>
              <strong>Verify it yourself.</strong> Hashes, signature, state proofs and rule, in this browser.
            </li>
          </ul>
        </section>
        <Live />
      </div>
      <section>
        <h2>What you can ask</h2>
        <p className="soft">
          An <strong>active</strong> capability keeps its rules until its version changes; a{" "}
          <strong>candidate</strong> is newer, works the same way, and may still change or be withdrawn. A{" "}
          <strong>shared</strong> answer is sold on at a lower price; a <strong>private</strong> one is yours
          alone.
        </p>
        <Catalog />
      </section>
    </>
  );
}

/** On the local chain one click chooses a wallet and a contract; elsewhere a wallet is the visitor's own. */
function TryNow() {
  const { data: localChain, isPending } = useLocalChain();
  const { chooseTestWallet, payer } = usePayer();
  const { id } = getContractCapability();
  // The offer depends on the chain; its place is kept until that is known.
  if (isPending) return <p className="try" />;
  if (!localChain)
    return (
      <p className="try">
        <Link href={linkToForm(id)} className="button">
          Check a contract
        </Link>
        <Link href="/sign">or check a transaction before you sign it</Link>
      </p>
    );
  const start = () => {
    if (!payer) chooseTestWallet(FIRST_WALLET);
    navigate(linkToForm(id, listSamples(id, localChain)[0]?.values));
  };
  return (
    <p className="try">
      <button type="button" onClick={start}>
        Try it now
      </button>
      <span className="soft">
        Asks who can change a sample contract. <strong className="tag play">play money</strong> of{" "}
        {payer ? payer.label : `test wallet ${FIRST_WALLET}`} on the local chain.
      </span>
    </p>
  );
}

function Live() {
  const { data, error } = useHealth();
  const { data: localChain } = useLocalChain();
  const isReady = data?.status === "ready";
  return (
    <section className="card live" aria-label="The service now">
      <p
        className={data || error ? (isReady && !error ? "live-state good" : "live-state bad") : "live-state"}
      >
        {error ? "The service does not answer" : !data ? "Asking…" : isReady ? "Ready" : "Not ready"}
      </p>
      <dl className="facts">
        <dt>Chain</dt>
        <dd>
          {localChain === undefined ? "…" : localChain ? "Local, chain id 8453" : "Base, chain id 8453"}
        </dd>
        <dt>Head block</dt>
        <dd className="mono">{data?.headBlock ?? "…"}</dd>
        <dt>Block time</dt>
        <dd>
          <span className="mono">
            {data?.blockTimeMs == null ? "…" : `${(data.blockTimeMs / 1_000).toFixed(2)} s`}
          </span>{" "}
          <span className="soft">measured</span>
        </dd>
        <dt>Parts</dt>
        <dd className="parts">
          {(data?.dependencies ?? []).map(({ name, ok, detail }) => (
            <span key={name} className={ok ? "part good" : "part bad"} title={detail}>
              {partNames[name] ?? name} {ok ? "ok" : "down"}
            </span>
          ))}
        </dd>
      </dl>
    </section>
  );
}

/** In the order in which visitors mostly come. */
const groups: Readonly<Record<ListedCapability["group"], string>> = {
  sign: "Before you sign",
  contract: "A contract or a token",
  world: "The chain, a page, a market",
  record: "Past transactions and records",
};

function Catalog() {
  const catalog = useCatalog();
  return (
    <div className="catalog-place">
      <Fetched query={catalog} what="the catalog">
        {({ capabilities }) =>
          Object.entries(groups).map(([group, title]) => (
            <section key={group} aria-label={title}>
              <h3>{title}</h3>
              <ul className="catalog">
                {capabilities
                  .filter(({ id }) => findCapability(id)?.group === group)
                  .map((entry) => (
                    <CatalogEntry key={entry.id} entry={entry} />
                  ))}
              </ul>
            </section>
          ))
        }
      </Fetched>
    </div>
  );
}

function CatalogEntry({ entry }: { readonly entry: CapabilityEntry }) {
  const { id, summary, status, reuse, constraints } = entry;
  return (
    <li className="card entry">
      <div className="entry-head">
        <h4>
          <Link href={`/capabilities/${id}`} className="entry-link">
            {findCapability(id)?.title ?? id}
          </Link>
        </h4>
        <span className={`tag status-${status}`}>{status}</span>
      </div>
      <p>
        <Words text={summary} />
      </p>
      <p className="entry-facts">
        <span className="mono entry-price">{describeRange(entry)}</span>
        <code className="soft">{id}</code>
        <span className="soft">
          {reuse}, holds at most {formatDuration(constraints.ttlSeconds)}
        </span>
      </p>
    </li>
  );
}
