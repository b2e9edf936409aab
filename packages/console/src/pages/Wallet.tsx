import type { WalletSession } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "../routing/router.js";
import type { PageProps } from "../routing/routes.js";
import { assay } from "../service/assay.js";
import { Lookup } from "../ui/Lookup.js";
import { Named } from "../ui/Named.js";
import { walletName } from "../ui/names.js";
import { Party } from "../ui/Party.js";
import { Failure, Fetched } from "../ui/Status.js";
import { openWalletMenu, usePayer } from "../wallet/Payer.js";
import { useWalletSession, walletQueryKey } from "../wallet/useWalletSession.js";
import { WalletRecordView } from "../wallet/WalletRecordView.js";
import "../styles/records.css";
import "../styles/walletRecord.css";

/** What an agent's wallet bought, for the wallet's owner and nobody else. */
export default function WalletPage({ params: { wallet } }: PageProps) {
  const { payer } = usePayer();
  return (
    <div className="page">
      <h1>What your agent did</h1>
      {wallet ? (
        <Named name={wallet} by={walletName}>
          <OneWallet key={wallet} wallet={wallet} />
        </Named>
      ) : (
        <>
          <p className="lead">
            What a wallet bought, what it spent each day, what it was warned of, and what that would have
            cost. Its owner signs in to read it; nobody else can.
          </p>
          {payer ? (
            <OneWallet key={payer.address} wallet={payer.address} />
          ) : (
            <p>
              <button type="button" onClick={openWalletMenu}>
                Choose your wallet
              </button>
            </p>
          )}
          <Lookup label="Another wallet of yours" placeholder="0x…" by={walletName} path="/wallet" />
        </>
      )}
    </div>
  );
}

function OneWallet({ wallet }: { readonly wallet: string }) {
  const { session, enter, leave } = useWalletSession(wallet);
  return (
    <>
      <p className="wallet-head">
        <Party address={wallet} />
        {session && (
          <button type="button" className="quiet small" onClick={leave}>
            Sign out
          </button>
        )}
      </p>
      {session ? <SignedIn session={session} /> : <SignIn wallet={wallet} enter={enter} />}
    </>
  );
}

function SignedIn({ session }: { readonly session: WalletSession }) {
  const query = useQuery({
    queryKey: walletQueryKey(session.wallet),
    queryFn: () => assay.wallet(session),
    refetchInterval: 15_000,
    // Nothing of it outlives the page that shows it.
    gcTime: 0,
  });
  return (
    <Fetched query={query} what="the record">
      {(record) => <WalletRecordView record={record} />}
    </Fetched>
  );
}

interface SignInProps extends Pick<ReturnType<typeof useWalletSession>, "enter"> {
  readonly wallet: string;
}

function SignIn({ wallet, enter }: SignInProps) {
  const { payer, isSettling } = usePayer();
  const isOwner = payer?.address.toLowerCase() === wallet.toLowerCase();
  return (
    <section className="card stack" aria-label="Sign in">
      <h2>For the owner of this wallet</h2>
      <p>
        Sign a message to show that this wallet is yours. It costs nothing, moves nothing, and opens this page
        for half an hour.
      </p>
      {isOwner ? (
        <p>
          <button type="button" disabled={enter.isPending} onClick={() => enter.mutate(payer)}>
            {enter.isPending ? "Waiting for the wallet…" : `Sign in with ${payer.label}`}
          </button>
        </p>
      ) : isSettling ? (
        <p className="soft">Asking your wallet…</p>
      ) : (
        <>
          {payer && (
            <p className="warn">
              {payer.label} is another wallet.{" "}
              <Link href={`/wallet/${payer.address}`}>Open its own page</Link>, or choose the wallet of this
              one.
            </p>
          )}
          <p>
            <button type="button" onClick={openWalletMenu}>
              Choose this wallet
            </button>
          </p>
        </>
      )}
      {enter.error && <Failure error={enter.error} />}
    </section>
  );
}
