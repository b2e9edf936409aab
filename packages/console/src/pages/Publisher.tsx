import type { Publication, Publisher } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "../routing/router.js";
import type { PageProps } from "../routing/routes.js";
import { assay, useLocalChain } from "../service/assay.js";
import { Facts } from "../ui/Facts.js";
import { count, formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Lookup } from "../ui/Lookup.js";
import { Moment } from "../ui/Moment.js";
import { Named } from "../ui/Named.js";
import { walletName } from "../ui/names.js";
import { Scroll } from "../ui/Scroll.js";
import { Empty, Fetched } from "../ui/Status.js";
import { usePayer } from "../wallet/Payer.js";
import "../styles/records.css";

const auditWords: Record<Publication["audit"], readonly [title: string, tone: "good" | "bad" | "open"]> = {
  passed: ["Passed", "good"],
  failed: ["Contradicted", "bad"],
  unaudited: ["Not audited", "open"],
};

/** The public record of a wallet that publishes. */
export default function PublisherPage({ params: { wallet } }: PageProps) {
  const { payer } = usePayer();
  return (
    <div className="page">
      <h1>{wallet ? "Publisher" : "Publishers"}</h1>
      {wallet ? (
        <Named name={wallet} by={walletName}>
          <OnePublisher wallet={wallet} />
        </Named>
      ) : (
        <>
          <p className="lead">
            Every publication is audited by recomputation, and every outcome stays on the record.
          </p>
          <Lookup label="Wallet" placeholder="0x…" by={walletName} path="/publishers" />
          {payer && (
            <p>
              <Link href={`/publishers/${payer.address}`}>The record of your wallet</Link>
            </p>
          )}
          <TestWallets />
        </>
      )}
    </div>
  );
}

/** On the local chain every publisher is one of these. */
function TestWallets() {
  const { data: localChain } = useLocalChain();
  if (!localChain) return null;
  return (
    <section className="stack">
      <h2>Test wallets of this chain</h2>
      <ul className="paths">
        {localChain.accounts.map(({ name, address }) => (
          <li key={name}>
            <Link href={`/publishers/${address}`}>{name}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OnePublisher({ wallet }: { readonly wallet: string }) {
  const query = useQuery({ queryKey: ["publisher", wallet], queryFn: () => assay.publisher(wallet) });
  return (
    <Fetched query={query} what="the record">
      {(publisher) => <Record publisher={publisher} />}
    </Fetched>
  );
}

function Record({ publisher }: { readonly publisher: Publisher }) {
  const { attested, attestation, publications, dividends, reviewCredits, audits } = publisher;
  return (
    <>
      <header className={`standing standing-${attested ? "good" : "open"}`}>
        <p className="standing-title">{attested ? "Attested publisher" : "Not attested"}</p>
        <p>
          {attested ? (
            `Sees bounties ${attestation.headStartSeconds} s before others; what it was first to share may earn up to ${attestation.lifetimeCapMultiple} times its price.`
          ) : attestation.blockedUntil ? (
            <>
              An audit failed: not attested before <Moment at={attestation.blockedUntil} />.
            </>
          ) : (
            "One passed audit makes a wallet attested."
          )}
        </p>
      </header>
      <section className="card">
        <Facts
          rows={[
            ["Wallet", <Hash key="wallet" value={publisher.wallet} label="wallet" />],
            [
              "Publications",
              `${publications.passed} passed, ${publications.failed} contradicted, ${publications.unaudited} not audited`,
            ],
            ["First to share (seeds)", count(publisher.seededInputs, "answer")],
            ["Dividends", `${formatUsd(dividends.totalUsd)} from ${count(dividends.settledReuses, "reuse")}`],
            [
              "Review credits",
              `${formatUsd(reviewCredits.totalUsd)} for ${count(reviewCredits.outcomes, "outcome")}`,
            ],
          ]}
        />
        <p className="soft">All of it in credits that cannot be moved or sold.</p>
      </section>
      <h2>Newest audits</h2>
      {audits.length === 0 ? (
        <Empty title="Nothing was published by this wallet">
          <p>
            The <Link href="/bounties">bounties</Link> list what is wanted and how to publish.
          </p>
        </Empty>
      ) : (
        <Audits audits={audits} />
      )}
    </>
  );
}

function Audits({ audits }: { readonly audits: readonly Publication[] }) {
  return (
    <Scroll label="Newest audits">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Audit</th>
            <th scope="col">Contract</th>
            <th scope="col">Code</th>
            <th scope="col" className="number">
              Block
            </th>
            <th scope="col">Published</th>
            <th scope="col" className="number">
              Log
            </th>
          </tr>
        </thead>
        <tbody>
          {audits.map(({ publicationId, audit, address, bytecodeHash, ...publication }) => (
            <tr key={publicationId}>
              <td>
                <span className={`tag tone-${auditWords[audit][1]}`}>{auditWords[audit][0]}</span>
              </td>
              <td>
                <Hash value={address} label="contract" />
              </td>
              <td>{bytecodeHash ? <Hash value={bytecodeHash} label="code hash" /> : "none"}</td>
              <td className="mono number">{publication.computedAtBlock}</td>
              <td>
                <Moment at={publication.publishedAt} />
              </td>
              <td className="number">
                {publication.logIndex === null ? (
                  "not used yet"
                ) : (
                  <Link href={`/log?entry=${publication.logIndex}`}>{publication.logIndex}</Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
