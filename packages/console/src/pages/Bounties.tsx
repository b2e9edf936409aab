import type { Bounties, Bounty } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { PublishForm } from "../market/PublishForm.js";
import { Link } from "../routing/router.js";
import { assay } from "../service/assay.js";
import { formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Moment } from "../ui/Moment.js";
import { Empty, Fetched } from "../ui/Status.js";
import { usePayer } from "../wallet/Payer.js";
import { useSigned } from "../wallet/SignedSubmit.js";
import "../styles/records.css";

const MAX_BOUNTIES = 50;

/** Work that somebody asked for and nobody has shared yet, and how to share it. */
export default function BountiesPage() {
  const { payer, isSettling } = usePayer();
  const wallet = payer?.address;
  const query = useQuery({
    queryKey: ["bounties", wallet],
    // A publisher's list is longer than everyone's: loaded after it, it would push the page apart.
    enabled: !isSettling,
    queryFn: () => assay.bounties({ limit: MAX_BOUNTIES, wallet }),
    placeholderData: (previous) => previous,
  });
  // The head start is for wallets that prove who they are, so that nobody learns of a bounty in another's name.
  const early = useSigned<void, Bounties>((client) =>
    client.bounties({ limit: MAX_BOUNTIES, passport: true }),
  );
  const [address, setAddress] = useState("");
  const form = useRef<HTMLDivElement>(null);
  const choose = (chosen: string) => {
    setAddress(chosen);
    form.current?.scrollIntoView();
    form.current?.querySelector("textarea")?.focus();
  };
  return (
    <div className="page">
      <h1>Bounties</h1>
      <p className="lead">
        Work that is the same for everyone is done once. The wallet that does it first earns a share of every
        later reuse by other wallets, in credits that lower its own prices and cannot be moved or sold.
      </p>
      <section className="stack">
        <h2>Wanted</h2>
        <Fetched query={query} what="the bounties">
          {(bounties) => (
            <Wanted
              bounties={early.data ?? bounties}
              onChoose={choose}
              onSign={wallet && !early.isPending ? () => early.mutate() : undefined}
            />
          )}
        </Fetched>
      </section>
      {/* Shown after the list has loaded, which would otherwise push it down. */}
      {!query.isPending && (
        <>
          <div ref={form}>
            <PublishForm key={address} address={address} onPublished={() => void query.refetch()} />
          </div>
          <p>
            What a wallet has published is on its <Link href="/publishers">public record</Link>.
          </p>
        </>
      )}
    </div>
  );
}

function Wanted({
  bounties: { bounties, passport },
  onChoose,
  onSign,
}: {
  readonly bounties: Bounties;
  onChoose(address: string): void;
  readonly onSign: (() => void) | undefined;
}) {
  return (
    <>
      <Passport passport={passport} onSign={onSign} />
      {bounties.length === 0 ? (
        <Empty title="Nothing is wanted right now">
          <p>
            A bounty appears when somebody asks the price of something nobody has shared yet; most wallets see
            it a minute later. Publishing below works without one too.
          </p>
        </Empty>
      ) : (
        <ul className="list">
          {bounties.map((bounty) => (
            <BountyCard key={bounty.inputHash} bounty={bounty} onChoose={onChoose} />
          ))}
        </ul>
      )}
    </>
  );
}

function Passport({
  passport,
  onSign,
}: Pick<Bounties, "passport"> & { readonly onSign: (() => void) | undefined }) {
  if (!passport)
    return (
      <p className="soft">
        Choose a wallet to see what an attested publisher sees: new bounties, a minute before everybody else.
      </p>
    );
  if (passport.attestedPublisher)
    return (
      <p className="soft">
        Your wallet is an attested publisher: it sees bounties {passport.headStartSeconds} s before others.
      </p>
    );
  return (
    <>
      <p className="soft">
        New bounties are shown {passport.headStartSeconds} s later to wallets that have not signed as an
        attested publisher{passport.withheldByHeadStart > 0 && `: ${passport.withheldByHeadStart} now`}. One
        passed audit makes a wallet one.
      </p>
      <button type="button" className="quiet" disabled={!onSign} onClick={onSign}>
        Sign to see new bounties now
      </button>
    </>
  );
}

function BountyCard({ bounty, onChoose }: { readonly bounty: Bounty; onChoose(address: string): void }) {
  const { capabilityId, input, misses, lastMissAt, seederEconomics: earns, fulfillment } = bounty;
  const given = Object.entries(input).filter(([, value]) => value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return (
    <li className="card">
      <p className="claim-head">
        <strong className="mono">{capabilityId}</strong>
        {given.map(([name, value]) => (
          <span key={name}>
            {name} <Hash value={String(value)} label={name} />
          </span>
        ))}
      </p>
      <p>
        Earns <strong>{formatUsd(earns.dividendPerSettledReuseUsd)}</strong> of each reuse (
        {earns.dividendPerSettledReusePct} %), at most {formatUsd(earns.lifetimeCapUsd)}, in credits.
      </p>
      <p className="soft">
        Asked {misses === 1 ? "once" : `${misses} times`}, last <Moment at={lastMissAt} />.
      </p>
      {fulfillment === "publish" && typeof input.address === "string" ? (
        <button type="button" className="quiet" onClick={() => onChoose(String(input.address))}>
          Publish its fingerprint
        </button>
      ) : (
        <p>
          Be the first to <Link href={`/capabilities/${capabilityId}?${query}`}>call it</Link>.
        </p>
      )}
    </li>
  );
}
