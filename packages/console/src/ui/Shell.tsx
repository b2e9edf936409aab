import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { Link } from "../routing/router.js";
import { useHealth } from "../service/assay.js";
import { WalletMenu } from "../wallet/WalletMenu.js";
import { isRecordPage } from "./recordPages.js";

const navigation = [
  ["/", "Start"],
  ["/sign", "Before you sign"],
  ["/verify", "Verify"],
  ["/claims", "Claims"],
  ["/records", "Records"],
] as const;

/** The frame of all pages: name, navigation, wallet, health of the service. */
export function Shell({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current one is another on each page
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (nav.current && current)
      nav.current.scrollLeft = current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2;
  }, [path]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="top">
        <div className="top-column">
          <Link href="/" className="brand">
            <img src="/mark.svg" alt="" width="28" height="28" /> Assay
          </Link>
          <nav ref={nav} aria-label="Pages">
            {navigation.map(([href, name]) => (
              <Link key={href} href={href} aria-current={isWithin(path, href) ? "page" : undefined}>
                {name}
              </Link>
            ))}
          </nav>
          <WalletMenu />
        </div>
      </header>
      <Connection />
      {children}
      <footer className="bottom">
        <div className="bottom-column">
          <Health />
          <p>
            <a href="/openapi.json">OpenAPI</a> · <a href="/llms.txt">llms.txt</a> ·{" "}
            <a href="/.well-known/assay.json">Keys</a>
          </p>
        </div>
      </footer>
    </>
  );
}

const isWithin = (path: string, href: string) =>
  href === "/records"
    ? isRecordPage(path)
    : href === "/"
      ? path === "/" || path.startsWith("/capabilities")
      : path.startsWith(href);

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

function Connection() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <p className="banner" role="status">
      This browser is offline. This page keeps what it shows; a saved answer can still be verified.
    </p>
  );
}

function Health() {
  const { data, error } = useHealth();
  if (error) return <p className="health bad">The service does not answer</p>;
  if (!data) return <p className="health">Asking the service…</p>;
  const isReady = data.status === "ready";
  return (
    <p className={isReady ? "health good" : "health bad"}>
      {isReady ? "Ready" : "Not ready"} · block {data.headBlock ?? "unknown"}
      {data.blockTimeMs !== null && ` · a block every ${(data.blockTimeMs / 1000).toFixed(1)} s`}
    </p>
  );
}
