import { useConnect, useConnection, useConnectors, useDisconnect } from "wagmi";
import { usePayer } from "./Payer.js";

/** Chooses who pays: a wallet of the browser or, on the local chain only, a test wallet. */
export function WalletMenu() {
  const { payer, testWallets, testWallet, chooseTestWallet } = usePayer();
  const connectors = useConnectors();
  const { isConnected } = useConnection();
  const connect = useConnect();
  const disconnect = useDisconnect();
  return (
    <details className="wallet">
      <summary>{payer ? `${payer.label} ${shorten(payer.address)}` : "Choose a wallet"}</summary>
      <div className="wallet-menu">
        {testWallets.length > 0 && (
          <label>
            Test wallet <strong className="tag">play money</strong>
            <select
              value={testWallet ?? ""}
              onChange={(event) => chooseTestWallet(event.target.value || undefined)}
            >
              <option value="">none</option>
              {testWallets.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        {connectors.map((connector) => (
          <button key={connector.uid} type="button" onClick={() => connect.mutate({ connector })}>
            Connect {connector.name}
          </button>
        ))}
        {isConnected && (
          <button type="button" className="quiet" onClick={() => disconnect.mutate({})}>
            Disconnect
          </button>
        )}
        {connectors.length === 0 && testWallets.length === 0 && (
          <p>No wallet announces itself in this browser. Install one, or use the command line.</p>
        )}
        {connect.error && <p role="alert">{connect.error.message}</p>}
      </div>
    </details>
  );
}

const shorten = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
