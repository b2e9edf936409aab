import { BASE_USDC, type Client, type PayerAccount } from "@assay/client";
import type { Hex } from "@assay/protocol";
import {
  type ComponentType,
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";
import { importWithRetry } from "../routing/importWithRetry.js";
import { createPayingClient, useDescription, useLocalChain } from "../service/assay.js";
import { dropFromTab, findInTab, keepInTab } from "../service/keepInTab.js";
import { useTrust } from "../verify/anchors.js";
import { type BrowserConnection, noConnection, wasConnected } from "./browserConnection.js";

export interface Payer {
  readonly address: Hex;
  /** Test wallets exist on the local chain only and hold play money. */
  readonly kind: "test" | "injected";
  readonly label: string;
  readonly client: Client;
  /** EIP-191, for signing in. */
  signMessage(message: string): Promise<Hex>;
}

interface PayerState {
  /** Undefined while no wallet is chosen. */
  readonly payer: Payer | undefined;
  /** Whether a wallet that was chosen before is still being restored: what depends on the wallet should wait. */
  readonly isSettling: boolean;
  /** Names of the local chain's test wallets; empty on a real chain. */
  readonly testWallets: readonly string[];
  readonly testWallet: string | undefined;
  chooseTestWallet(name: string | undefined): void;
  /** The browser's wallet, also one on another chain. */
  readonly connection: BrowserConnection;
  /** Loads what speaks with wallets of the browser; most visitors of most pages never need it. */
  lookForWallets(): void;
}

const OPEN_WALLET_MENU = "assay:open-wallet-menu";

/** Opens the menu in which a wallet is chosen, from anywhere on the page. */
export const openWalletMenu = (): void => void window.dispatchEvent(new Event(OPEN_WALLET_MENU));

export function onOpenWalletMenu(open: () => void): () => void {
  window.addEventListener(OPEN_WALLET_MENU, open);
  return () => window.removeEventListener(OPEN_WALLET_MENU, open);
}

/** The choice outlives a reload of the tab; the key itself is never kept. */
const CHOSEN = "assay.test-wallet";

interface WatcherProps {
  onChange(connection: BrowserConnection): void;
}

/** Without it no wallet is found, and everything else works. */
function Unreachable({ onChange }: WatcherProps): ReactNode {
  useEffect(() => onChange(noConnection), [onChange]);
  return null;
}

const InjectedConnection = lazy(() =>
  importWithRetry<{ default: ComponentType<WatcherProps> }>(() => import("./InjectedConnection.js")).catch(
    () => ({
      default: Unreachable,
    }),
  ),
);

const PayerContext = createContext<PayerState | undefined>(undefined);

/** Who pays and signs: the wallet connected in the browser, else the test wallet that was chosen. */
export function PayerProvider({ children }: { readonly children: ReactNode }) {
  const { data: localChain } = useLocalChain();
  const [testWallet, setTestWallet] = useState(() => findInTab<string>(CHOSEN));
  const chooseTestWallet = useCallback((name: string | undefined) => {
    setTestWallet(name);
    if (name === undefined) dropFromTab(CHOSEN);
    else keepInTab(CHOSEN, name);
  }, []);
  // Nobody can pay before the service's key is known: the wallet signs only what that key has offered.
  const signer = useTrust().anchors?.signer;
  const { testPayer, isLoading } = useTestPayer(testWallet, signer);
  const [connection, setConnection] = useState(
    (): BrowserConnection => ({ ...noConnection, isSettling: wasConnected() }),
  );
  const [isLooking, setIsLooking] = useState(connection.isSettling);
  const lookForWallets = useCallback(() => setIsLooking(true), []);
  const injected = useInjectedPayer(connection, signer, localChain?.stablecoin.address);
  const state = useMemo(
    (): PayerState => ({
      payer: testPayer ?? injected,
      isSettling: isLoading || (!testPayer && connection.isSettling),
      testWallets: localChain?.accounts.map(({ name }) => name) ?? [],
      testWallet,
      chooseTestWallet,
      connection,
      lookForWallets,
    }),
    [testPayer, isLoading, injected, connection, localChain, testWallet, chooseTestWallet, lookForWallets],
  );
  return (
    <PayerContext value={state}>
      {children}
      {isLooking && (
        <Suspense fallback={null}>
          <InjectedConnection onChange={setConnection} />
        </Suspense>
      )}
    </PayerContext>
  );
}

export function usePayer(): PayerState {
  const state = useContext(PayerContext);
  if (!state) throw new Error("usePayer needs a PayerProvider");
  return state;
}

interface TestPayer {
  readonly testPayer: Payer | undefined;
  readonly isLoading: boolean;
}

function useTestPayer(name: string | undefined, signer: Hex | undefined): TestPayer {
  const { data: localChain, isPending } = useLocalChain();
  const isKeyFailed = useDescription().error !== null;
  const [payer, setPayer] = useState<Payer>();
  const [isMissing, setIsMissing] = useState(false);
  useEffect(() => {
    const wallet = localChain?.accounts.find((account) => account.name === name);
    setPayer(undefined);
    setIsMissing(false);
    if (!localChain || !wallet || !signer) return;
    let isCurrent = true;
    // Signing code is loaded once somebody wants to sign.
    void import("viem/accounts").then(
      ({ privateKeyToAccount }) => {
        const account = privateKeyToAccount(wallet.privateKey);
        const client = createPayingClient(account as PayerAccount, localChain.stablecoin.address, signer);
        const signMessage = (message: string) => account.signMessage({ message });
        const label = `Test wallet ${wallet.name}`;
        if (isCurrent) setPayer({ address: account.address, kind: "test", label, client, signMessage });
      },
      () => isCurrent && setIsMissing(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [localChain, name, signer]);
  const isKnown = isPending || localChain?.accounts.some((account) => account.name === name) === true;
  const isGivenUp = isMissing || (signer === undefined && isKeyFailed);
  return { testPayer: payer, isLoading: name !== undefined && !payer && isKnown && !isGivenUp };
}

function useInjectedPayer(
  { address, name, wallet }: BrowserConnection,
  signer: Hex | undefined,
  stablecoin: Hex = BASE_USDC,
): Payer | undefined {
  return useMemo(() => {
    if (!address || !wallet || !signer) return undefined;
    const account: PayerAccount = {
      address,
      signTypedData: (message) => wallet.signTypedData({ account: address, ...message }),
    };
    const client = createPayingClient(account, stablecoin, signer);
    const signMessage = (message: string) => wallet.signMessage({ account: address, message });
    return { address, kind: "injected", label: name ?? "Browser wallet", client, signMessage };
  }, [address, wallet, name, stablecoin, signer]);
}
