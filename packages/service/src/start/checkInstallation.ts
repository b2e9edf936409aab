import { type Chain, createChain, describeLimits } from "@assay/chain";
import { BASE_USDC, CHAIN_ID, type Hex } from "@assay/protocol";
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import { curve } from "../base/curve.js";
import { addressOfKey } from "../base/secp256k1.js";
import { findForeignOrigin } from "../log/signedHeads.js";
import type { Facilitator, SettlerFunds } from "../payments/facilitator.js";
import { createRemoteFacilitator } from "../payments/remoteFacilitator.js";
import { createInProcessFacilitator } from "../payments/settlement/inProcessFacilitator.js";
import { createDatabase, type Database } from "../store/database.js";
import { type CheckedKeys, checkKeys } from "./checkKeys.js";
import { checkBrowser, checkCollector, checkNamedContracts, checkOtherAccount } from "./checkSurroundings.js";
import type { Config } from "./config.js";
import type { Finding, Note } from "./finding.js";
import { loadIssuers } from "./loadIssuers.js";
import { loadObligations } from "./loadObligations.js";
import { loadBudgets, loadPrices } from "./loadTerms.js";
import { createLogger } from "./logger.js";
import { openIdentity } from "./openIdentity.js";
import { verifyDistinct } from "./openKeys.js";
import { SLOWER_CURVE } from "./startupReport.js";
import { checkChainIdentity } from "./verifyChainIdentity.js";

const OLDEST_POSTGRES = 15;
const FRESH_HEAD_SECONDS = 30;
const COMFORTABLE_SETTLEMENTS = 1_000n;
const FUNDS_TURNS = 4;
const FUNDS_PAUSE_MS = 500;

/** Of one process: its pool, one that waits for notifications, and the lock of its settling keys. */
const CONNECTIONS_OF_PROCESS = 18;

/** Tries every setting for real, and changes nothing: no migration runs, and nothing is sent. */
export async function checkInstallation(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  const note: Note = (part, state, detail) => findings.push({ part, state, detail });
  const attempt = (part: string, work: () => Promise<unknown>) =>
    work().catch((error: unknown) => note(part, "fault", sentenceOf(error)));

  for (const [name, value] of Object.entries({ DATABASE_URL: config.databaseUrl, RPC_URL: config.rpcUrls }))
    if (value === undefined) note(name, "fault", "is not set: an embedded part keeps nothing for real money");
  if (config.rpcUrls && config.serviceKeys.length === 0)
    note("SERVICE_SIGNING_KEY", "warning", "is not set: each DATA_DIR makes a key of its own");
  await attempt("service key", () => checkServiceKeys(config, note));
  checkPublicUrl(config, note);
  if (curve.form === "machine code") note("signatures", "ok", "in machine code");
  else note("signatures", "warning", SLOWER_CURVE);
  if (config.rateLimits === "off") note("RATE_LIMITS", "fault", "is off: for benchmarks only");
  for (const [name, load] of Object.entries(files))
    await attempt(name, async () => {
      const found = await load(config);
      if (found !== undefined) note(name, "ok", found);
    });
  await attempt("OTEL_EXPORTER_OTLP_ENDPOINT", () => checkCollector(config, note));
  await attempt("BROWSER_PATH", () => checkBrowser(config, note));
  await attempt("DATABASE_URL", () => checkDatabase(config, note));
  for (const [i, url] of (config.rpcUrls ?? []).entries())
    await attempt(`node ${i + 1}`, () => checkNode(url, i + 1, note));
  if (config.rpcUrls?.length === 1)
    note("RPC_URL", "warning", "names one node: claims and failover need a second one of another provider");
  if (config.rpcUrls) await attempt("payments", () => checkPayments(config, note));
  return findings;
}

function checkPublicUrl({ publicUrl, trustedProxies, metricsToken }: Config, note: Note): void {
  if (publicUrl === undefined) note("PUBLIC_URL", "fault", "is not set: receipts would link to this machine");
  else if (!publicUrl.startsWith("https:")) note("PUBLIC_URL", "warning", `is ${publicUrl}, without TLS`);
  else note("PUBLIC_URL", "ok", publicUrl);
  if (publicUrl?.startsWith("https:") && trustedProxies.length === 0)
    note("TRUSTED_PROXIES", "warning", "is not set: behind a proxy all callers share one rate limit");
  if (metricsToken === undefined)
    note("METRICS_TOKEN", "warning", "is not set: only a Prometheus on the same machine can read metrics");
}

/** Each file that a setting names, read as the service reads it; undefined where none is named. */
const files: Readonly<Record<string, (config: Config) => Promise<string | undefined>>> = {
  PRICES_FILE: async (config) => config.pricesFile && loadPrices(config).then(() => config.pricesFile),
  RATE_LIMITS_FILE: async (config) =>
    config.rateLimitsFile && loadBudgets(config).then(() => config.rateLimitsFile),
  OBLIGATIONS_FILE: async ({ obligationsFile: path }) =>
    path && loadObligations(path, undefined).then(({ length }) => `${length} obligations`),
  ISSUERS_FILE: async ({ issuersFile: path }) =>
    path && loadIssuers(path, undefined).then(({ length }) => `${length} assets`),
};

async function checkDatabase(config: Config, note: Note): Promise<void> {
  const { databaseUrl, workers } = config;
  if (databaseUrl === undefined) return;
  const database = createDatabase({ connectionString: databaseUrl, maxConnections: 1 });
  try {
    const [row] = await database.query<DatabaseFacts>({
      text: `SELECT current_setting('server_version_num')::int / 10000 AS version,
               current_setting('max_connections')::int
                 - current_setting('superuser_reserved_connections')::int AS connections,
               has_schema_privilege(current_schema(), 'CREATE') AS may_create,
               to_regclass('chain_identity') IS NOT NULL AS has_tables,
               to_regclass('key_endorsements') IS NOT NULL AS has_keys`,
    });
    if (!row) throw new Error("the database answered nothing");
    const use = row.has_tables ? "in use" : "empty: tables are made at the first start";
    if (row.version < OLDEST_POSTGRES)
      note("DATABASE_URL", "fault", `is PostgreSQL ${row.version}; ${OLDEST_POSTGRES} or newer is needed`);
    else if (!row.may_create) note("DATABASE_URL", "fault", "has a role that may not create tables");
    else note("DATABASE_URL", "ok", `PostgreSQL ${row.version}, ${use}`);
    const processes = Math.floor(row.connections / CONNECTIONS_OF_PROCESS);
    if (processes < workers)
      note(
        "DATABASE_URL",
        "fault",
        `allows ${row.connections} connections, and ${workers} processes need ${workers * CONNECTIONS_OF_PROCESS}: raise max_connections`,
      );
    else note("DATABASE_URL", "ok", `${row.connections} connections are enough for ${processes} processes`);
    if (row.has_tables) await checkOwner(database, config, note);
    if (row.has_keys && config.serviceKeys.length > 0) await checkIdentity(database, config, note);
  } finally {
    await database.close();
  }
}

interface DatabaseFacts {
  readonly version: number;
  readonly connections: number;
  readonly may_create: boolean;
  readonly has_tables: boolean;
  readonly has_keys: boolean;
}

/** A key that cannot be opened is a finding of its own. */
async function checkIdentity(database: Database, config: Config, note: Note): Promise<void> {
  const identity = await openIdentity(config, database).catch(() => undefined);
  if (identity === undefined) return;
  identity.close();
  const lastSignedAs = await findForeignOrigin(database, identity.logSigner);
  if (lastSignedAs !== undefined)
    note(
      "service key",
      "warning",
      `another key signed the log of this database (${lastSignedAs}) and has not endorsed this one: assay-admin rotate changes keys`,
    );
  const named = await database.query<{ authorizer: string; channels: bigint }>({
    text: `SELECT lower(config->>'receiverAuthorizer') AS authorizer, count(*) AS channels FROM channels
           WHERE charged > claimed OR balance > claimed GROUP BY 1 ORDER BY 1`,
  });
  const channelsOf = new Map(named.map(({ authorizer, channels }) => [authorizer, channels]));
  const addresses = identity.signer.addresses.map((address) => address.toLowerCase());
  for (const former of addresses.slice(1))
    note(
      "service key",
      "ok",
      `former ${former}; channels with money that name it: ${channelsOf.get(former) ?? 0n}`,
    );
  for (const [authorizer, channels] of channelsOf)
    if (!addresses.includes(authorizer))
      note(
        "service key",
        "fault",
        `the key of ${authorizer} is missing, so nothing of its channels can be claimed; channels with money that name it: ${channels}`,
      );
}

/** A database belongs to one chain and one account. */
async function checkOwner(database: Database, { payTo, rpcUrls }: Config, note: Note): Promise<void> {
  const [stored] = await database.query<{ pay_to: string | null }>({
    text: "SELECT pay_to FROM chain_identity",
  });
  if (payTo && stored?.pay_to && stored.pay_to !== payTo.toLowerCase())
    note("PAY_TO", "fault", `is ${payTo}, but the payments of this database go to ${stored.pay_to}`);
  // What is wrong with the nodes themselves is said of each node.
  const chain = rpcUrls && (await openChain(rpcUrls).catch(() => undefined));
  if (chain === undefined) return;
  await checkChainIdentity(database, chain).finally(() => chain.close());
}

/** A signature that takes longer than this makes every answer late. */
const SLOW_MS = 300;

function noteKeys(part: string, { signers, tookMs }: CheckedKeys, note: Note): void {
  for (const [i, { address, place }] of signers.entries()) {
    const took = tookMs[i] ?? 0;
    note(`${part} ${i + 1}`, took > SLOW_MS ? "warning" : "ok", `${address}: ${place}, signs in ${took} ms`);
  }
}

/** Nothing is sent, and no payment is signed. */
async function checkServiceKeys(config: Config, note: Note): Promise<void> {
  const checked = await checkKeys("SERVICE_SIGNER", config.serviceKeys, config);
  for (const signer of checked.signers) signer.close();
  noteKeys("service key", checked, note);
}

async function checkSettlerKeys(config: Config, note: Note): Promise<CheckedKeys> {
  const checked = await checkKeys("SETTLER_SIGNER", config.settlers ?? [], config);
  verifyDistinct(checked.signers, config.breadcrumbPrivateKey && addressOfKey(config.breadcrumbPrivateKey));
  noteKeys("settling key", checked, note);
  return checked;
}

const openChain = (rpcUrls: readonly string[]) =>
  createChain({ rpcUrls: [...rpcUrls], expectedChainId: CHAIN_ID, logger: createLogger("silent") });

async function checkNode(url: string, place: number, note: Note): Promise<void> {
  const chain = await openChain([url]);
  try {
    const [report] = await chain.probeNodes();
    const { number, timestamp } = await chain.latestBlock();
    const age = Math.round(Date.now() / 1000 - timestamp);
    if (age > FRESH_HEAD_SECONDS)
      note(`node ${place}`, "fault", `its newest block ${number} is ${age} s old: calls would be refused`);
    else note(`node ${place}`, "ok", `block ${number}, ${Math.max(0, age)} s old`);
    for (const limit of report ? describeLimits(report) : []) note(`node ${place}`, "warning", limit);
  } finally {
    await chain.close();
  }
}

async function checkPayments(config: Config, note: Note): Promise<void> {
  const chain = await openChain(config.rpcUrls ?? []);
  try {
    await checkToken(chain, config.stablecoinAddress ?? BASE_USDC, note);
    await checkNamedContracts(chain, config, note);
    await checkOtherAccount(chain, config, note);
    if (config.facilitatorUrl !== undefined) {
      const facilitator = createRemoteFacilitator(config.facilitatorUrl);
      note("FACILITATOR_URL", "ok", await facilitator.verifyReady().finally(() => facilitator.close()));
      return;
    }
    const { signers } = await checkSettlerKeys(config, note);
    const settlers = createInProcessFacilitator({
      chain,
      logger: createLogger("silent"),
      signers,
      maxTipWei: config.maxTipWei,
      settlesBelowCost: config.settlesBelowCost,
    });
    try {
      for (const { address, settlementsLeft } of await readFunds(settlers))
        note(
          `settler ${address}`,
          settlementsLeft < 100n ? "fault" : settlementsLeft < COMFORTABLE_SETTLEMENTS ? "warning" : "ok",
          `has ether for ${settlementsLeft} settlements${settlementsLeft < COMFORTABLE_SETTLEMENTS ? ": send it some" : ""}`,
        );
    } finally {
      await settlers.close();
      for (const signer of signers) signer.close();
    }
  } finally {
    await chain.close();
  }
}

/** A reading of the newest block that a node missed once is no reason to call the installation faulty. */
async function readFunds(settlers: Facilitator): Promise<readonly SettlerFunds[]> {
  for (let turn = 1; ; turn++) {
    try {
      return (await settlers.listSettlers?.()) ?? [];
    } catch (error) {
      if (turn === FUNDS_TURNS) throw error;
      await new Promise((done) => setTimeout(done, FUNDS_PAUSE_MS));
    }
  }
}

const tokenAbi = parseAbi(["function decimals() view returns (uint8)"]);

async function checkToken(chain: Chain, address: Hex, note: Note): Promise<void> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: "decimals" });
  const [reading] = await chain.readAt(await chain.latestBlock(), [{ kind: "call", to: address, data }]);
  if (reading?.status !== "value") {
    note("STABLECOIN_ADDRESS", "fault", `${address} does not answer decimals() on this chain`);
    return;
  }
  const decimals = decodeFunctionResult({
    abi: tokenAbi,
    functionName: "decimals",
    data: reading.value as Hex,
  });
  if (decimals === 6) note("STABLECOIN_ADDRESS", "ok", address);
  else note("STABLECOIN_ADDRESS", "fault", `${address} has ${decimals} decimals, and must have 6`);
}

function sentenceOf(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const text = cause instanceof Error ? cause.message || cause.name : String(cause);
  return (text.split("\n")[0] ?? "").replace(/\.$/, "");
}
