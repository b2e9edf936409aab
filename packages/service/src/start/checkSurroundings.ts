import type { Chain } from "@assay/chain";
import { identifyBrowser } from "@assay/pages";
import type { Hex } from "@assay/protocol";
import { addressOfKey } from "../base/secp256k1.js";
import type { Config } from "./config.js";
import type { Note } from "./finding.js";
import { tracesUrl } from "./openTracing.js";

// What the service uses beside its database, its nodes and its keys.

const COLLECTOR_PATIENCE_MS = 5_000;
/** Of one mention of a claim: 40,000 gas at a hundred times the least base fee of Base. */
const MENTION_WEI = 20_000_000_000_000n;

/** Settings that name contracts were written for one chain; on another one nothing is at these addresses. */
export async function checkNamedContracts(
  chain: Chain,
  { swapRouters, launchClassic, launchConcentrated }: Config,
  note: Note,
): Promise<void> {
  const named: Readonly<Record<string, readonly Hex[]>> = {
    SWAP_ROUTERS: (swapRouters ?? []).flatMap(({ address, factories }) => [address, ...factories]),
    LAUNCH_CLASSIC: Object.values(launchClassic ?? {}),
    LAUNCH_CONCENTRATED: Object.values(launchConcentrated ?? {}),
  };
  for (const [setting, addresses] of Object.entries(named)) {
    if (addresses.length === 0) continue;
    const codes = await chain.readAt(
      await chain.latestBlock(),
      addresses.map((address) => ({ kind: "code", address }) as const),
    );
    const empty = addresses.filter((_, i) => codes[i]?.status !== "value");
    if (empty.length === 0) note(setting, "ok", `${addresses.length} contracts`);
    else note(setting, "fault", `${empty.join(" and ")} has no code on this chain`);
  }
}

/** The account that mentions claims pays gas as settling keys do. Claims do not depend on it. */
export async function checkOtherAccount(
  chain: Chain,
  { breadcrumbPrivateKey }: Config,
  note: Note,
): Promise<void> {
  if (breadcrumbPrivateKey === undefined) return;
  const address = addressOfKey(breadcrumbPrivateKey);
  const [balance] = await chain.readLatest([{ kind: "balance", address }]);
  if (balance?.status !== "value") throw new Error(`no node answers the balance of ${address}`);
  const mentions = BigInt(balance.value) / MENTION_WEI;
  if (mentions < 100n)
    note("BREADCRUMB_PRIVATE_KEY", "warning", `${address} has ether for ${mentions} mentions: send it some`);
  else note("BREADCRUMB_PRIVATE_KEY", "ok", `${address} has ether for ${mentions} mentions`);
}

/** Sends no trace. The service starts without its collector too, and what it would have sent is lost. */
export async function checkCollector({ tracing }: Config, note: Note): Promise<void> {
  const { endpoint } = tracing;
  if (endpoint === undefined) return;
  const why = await fetch(tracesUrl(endpoint), {
    method: "POST",
    headers: { "content-type": "application/json", ...tracing.headers },
    body: JSON.stringify({ resourceSpans: [] }),
    signal: AbortSignal.timeout(COLLECTOR_PATIENCE_MS),
  }).then(
    ({ ok, status }) => (ok ? undefined : `answers ${status}`),
    (error: Error) => `cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
  );
  const part = "OTEL_EXPORTER_OTLP_ENDPOINT";
  if (why === undefined) note(part, "ok", `${endpoint} takes traces`);
  else note(part, "warning", `${endpoint} ${why}; traces would be lost`);
}

export async function checkBrowser({ browserPath }: Config, note: Note): Promise<void> {
  if (browserPath !== undefined) note("BROWSER_PATH", "ok", await identifyBrowser(browserPath));
}
