import { CHAIN_ID } from "@assay/protocol";
import { useConnect, useConnection, useConnectors, useDisconnect, useSwitchChain, WagmiContext } from "wagmi";
import { walletConfig } from "./walletConfig.js";

interface Props {
  /** A chosen test wallet pays first. */
  readonly isOverruled: boolean;
  readonly hasTestWallets: boolean;
}

/** The wallets that announce themselves in this browser (EIP-6963), and the chain the connected one is on. */
export default function BrowserWallets(props: Props) {
  return (
    // The connection is restored elsewhere; both see the same one.
    <WagmiContext value={walletConfig}>
      <Wallets {...props} />
    </WagmiContext>
  );
}

function Wallets({ isOverruled, hasTestWallets }: Props) {
  const connectors = useConnectors();
  const { isConnected, chainId, connector: connected } = useConnection();
  const connect = useConnect();
  const disconnect = useDisconnect();
  const change = useSwitchChain();
  const error = connect.error ?? change.error;
  if (isConnected)
    return (
      <div className="wallet-part">
        {chainId === CHAIN_ID ? (
          <p>
            {connected?.name} is connected on Base.
            {isOverruled && " The test wallet pays while it is chosen."}
          </p>
        ) : (
          <div role="alert">
            <p className="bad">
              {connected?.name} is on chain {chainId}. Assay is paid on Base, chain {CHAIN_ID}.
            </p>
            <button type="button" onClick={() => change.mutate({ chainId: CHAIN_ID })}>
              Switch it to Base
            </button>
          </div>
        )}
        <button type="button" className="quiet" onClick={() => disconnect.mutate({})}>
          Disconnect {connected?.name}
        </button>
        {error && <p role="alert">{firstLine(error)}</p>}
      </div>
    );
  return (
    <div className="wallet-part">
      {connectors.map((connector) => (
        <button
          key={connector.uid}
          type="button"
          disabled={connect.isPending}
          onClick={() => connect.mutate({ connector })}
        >
          Connect {connector.name}
        </button>
      ))}
      {connectors.length === 0 && (
        <p className="soft">
          No wallet announces itself in this browser (EIP-6963).
          {!hasTestWallets && " Install one and reload, or pay from the command line."}
        </p>
      )}
      {error && (
        <p className="bad" role="alert">
          {firstLine(error)}
        </p>
      )}
    </div>
  );
}

/** Wallets explain errors at length; the first line is enough. */
const firstLine = ({ message }: Error) => message.split("\n")[0];
