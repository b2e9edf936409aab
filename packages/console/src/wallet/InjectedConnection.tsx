import { useEffect } from "react";
import { useConnection, useWalletClient, WagmiContext } from "wagmi";
import { reconnect } from "wagmi/actions";
import type { BrowserConnection } from "./browserConnection.js";
import { walletConfig } from "./walletConfig.js";

interface Props {
  onChange(connection: BrowserConnection): void;
}

/** Says which wallet of the browser is connected. Loaded once somebody looks for one, or has connected one before. */
export default function InjectedConnection(props: Props) {
  // Once: wagmi's own provider would ask the wallet again at each change that is reported here.
  useEffect(() => void reconnect(walletConfig), []);
  return (
    <WagmiContext value={walletConfig}>
      <Report {...props} />
    </WagmiContext>
  );
}

function Report({ onChange }: Props) {
  const { status, address, chainId, connector } = useConnection();
  const { data: wallet } = useWalletClient();
  const name = connector?.name;
  useEffect(() => {
    onChange({
      isSettling: status === "reconnecting",
      isConnected: status === "connected",
      ...{ address, chainId, name },
      wallet: wallet && {
        signTypedData: (message) => wallet.signTypedData(message as never),
        signMessage: (message) => wallet.signMessage(message),
      },
    });
  }, [onChange, status, address, chainId, name, wallet]);
  return null;
}
