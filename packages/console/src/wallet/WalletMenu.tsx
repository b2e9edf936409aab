import { CHAIN_ID } from "@assay/protocol";
import {
  type FocusEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import "../styles/wallet.css";
import { importWithRetry } from "../routing/importWithRetry.js";
import { shorten } from "../ui/format.js";
import { onOpenWalletMenu, usePayer } from "./Payer.js";

const NotLoaded = () => (
  <p className="bad" role="alert">
    The part that speaks with wallets could not be loaded. Go online and reload this page.
  </p>
);

const BrowserWallets = lazy(() =>
  importWithRetry(() => import("./BrowserWallets.js")).catch(() => ({ default: NotLoaded })),
);

interface Asker {
  readonly control: HTMLElement;
  /** Around it: once a wallet is chosen, another control may stand in its place. */
  readonly place: HTMLElement | null;
}

function findAsker(): Asker | null {
  const control = document.activeElement;
  return control instanceof HTMLElement ? { control, place: control.closest("section, form, main") } : null;
}

/** Goes on where the visitor was, so that the next key need not cross the page; false where that is gone. */
function returnTo(asker: Asker | null): boolean {
  if (!asker?.control.isConnected) return focusPlace(asker?.place);
  const { control, place } = asker;
  control.focus({ preventScroll: true });
  // The page may learn of the chosen wallet a moment later, and put another control there.
  const observer = new MutationObserver(() => {
    if (control.isConnected) return;
    observer.disconnect();
    if (document.activeElement === document.body) focusPlace(place);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return true;
}

function focusPlace(place: HTMLElement | null | undefined): boolean {
  if (!place?.isConnected || place === document.body) return false;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  return true;
}

/** Chooses who pays: a wallet of the browser or, on the local chain only, a test wallet. */
export function WalletMenu() {
  const { payer, testWallets, testWallet, chooseTestWallet, connection, lookForWallets } = usePayer();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLElement>(null);
  const id = useId();

  /** What asked for the menu, where that was not its own button. */
  const asker = useRef<Asker>(null);
  useEffect(
    () =>
      onOpenWalletMenu(() => {
        asker.current = findAsker();
        setIsOpen(true);
      }),
    [],
  );
  useEffect(() => {
    if (!isOpen) return;
    lookForWallets();
    menu.current?.querySelector<HTMLElement>("select, button")?.focus();
  }, [isOpen, lookForWallets]);

  const close = () => {
    setIsOpen(false);
    if (!returnTo(asker.current)) button.current?.focus();
    asker.current = null;
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isOpen) close();
  };
  const closeOnLeave = (event: FocusEvent) => {
    // A click on an empty place focuses nothing; only a focus elsewhere closes the menu.
    if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setIsOpen(false);
  };
  const isElsewhere = connection.isConnected && !testWallet && connection.chainId !== CHAIN_ID;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears Escape from the controls inside
    <div className="wallet" onKeyDown={closeOnEscape} onBlur={closeOnLeave}>
      <button
        ref={button}
        type="button"
        className="quiet wallet-button"
        aria-expanded={isOpen}
        aria-controls={id}
        // Who comes near is about to choose.
        onFocus={lookForWallets}
        onPointerEnter={lookForWallets}
        onClick={() => {
          asker.current = null;
          setIsOpen(!isOpen);
        }}
      >
        {payer ? (
          <>
            <span className={payer.kind === "test" ? "dot play" : "dot"} aria-hidden="true" />
            {payer.label} <span className="mono">{shorten(payer.address)}</span>
          </>
        ) : isElsewhere ? (
          "Wallet on another chain"
        ) : (
          "Choose a wallet"
        )}
      </button>
      <section ref={menu} id={id} className="wallet-menu" hidden={!isOpen} aria-label="Wallet">
        {testWallets.length > 0 && (
          <label>
            <span>
              Test wallet <strong className="tag play">play money</strong>
            </span>
            <select
              value={testWallet ?? ""}
              onChange={(event) => chooseTestWallet(event.target.value || undefined)}
            >
              <option value="">none</option>
              {testWallets.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <span className="field-note">Only on the local chain; its keys are not secret.</span>
          </label>
        )}
        {isOpen && (
          <Suspense fallback={<p className="soft">Looking for wallets…</p>}>
            <BrowserWallets isOverruled={testWallet !== undefined} hasTestWallets={testWallets.length > 0} />
          </Suspense>
        )}
        <button type="button" className="quiet small" onClick={close}>
          Close
        </button>
      </section>
    </div>
  );
}
