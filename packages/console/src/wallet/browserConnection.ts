import type { PayerAccount } from "@assay/client";
import type { Hex } from "@assay/protocol";
import { findInBrowser } from "../service/keepInBrowser.js";

type Message = Parameters<PayerAccount["signTypedData"]>[0];

/** What is known of the browser's wallet, without the code that speaks with wallets. */
export interface BrowserConnection {
  /** Whether one that was connected before is still being asked. */
  readonly isSettling: boolean;
  readonly isConnected: boolean;
  readonly address?: Hex | undefined;
  readonly chainId?: number | undefined;
  readonly name?: string | undefined;
  /** Undefined until it can sign. */
  readonly wallet?:
    | {
        signTypedData(message: Message & { readonly account: Hex }): Promise<Hex>;
        signMessage(message: { readonly account: Hex; readonly message: string }): Promise<Hex>;
      }
    | undefined;
}

export const noConnection: BrowserConnection = { isSettling: false, isConnected: false };

/** Where wagmi keeps which wallet was connected last. */
const LAST_CONNECTED = "wagmi.recentConnectorId";

/** Whether a wallet may still be connected from an earlier visit. */
export const wasConnected = (): boolean => findInBrowser(LAST_CONNECTED) !== null;
