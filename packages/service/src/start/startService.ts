import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Chain } from "@assay/chain";
import { createChain } from "@assay/chain";
import type { Devnet } from "@assay/devnet";
import { createPageFetcher, createPageParser, createPageReader, createPageRenderer } from "@assay/pages";
import { CHAIN_ID } from "@assay/protocol";
import type { Logger } from "pino";
import { createFailpoints, noFailpoints } from "../base/failpoints.js";
import { createMetrics, type Metrics } from "../base/metrics.js";
import { packageFolder } from "../base/packageFolder.js";
import { useTracing } from "../base/tracing.js";
import { createBreadcrumbs } from "../claims/breadcrumbs.js";
import { createFreshness, followFreshness } from "../evidence/freshness.js";
import { createReceiverCount } from "../evidence/receiverSignals.js";
import { createRenewals } from "../evidence/renewals.js";
import { createSoldAnswers } from "../evidence/soldAnswers.js";
import { createChallengeMemory } from "../http/challengeMemory.js";
import { createClientAddressReader, createPeerFinder } from "../http/clientAddress.js";
import { loadConsole } from "../http/console.js";
import { listen } from "../http/listen.js";
import { createOwnHostCheck } from "../http/ownHost.js";
import { createReadinessCheck } from "../http/readiness.js";
import { EXPOSED_HEADERS } from "../http/router.js";
import { startJobs } from "../jobs/schedule.js";
import { findForeignOrigin } from "../log/signedHeads.js";
import { createDemandCounter } from "../market/demandCounter.js";
import { createPayerSignatures } from "../payments/authorizationSignature.js";
import { createChannelTurns } from "../payments/channels/channelTurns.js";
import { createExtensions } from "../payments/extensions.js";
import { recoverAtStart } from "../payments/recovery/recoverPayments.js";
import { listLogBreaks } from "../payments/recovery/restorations.js";
import { loadBlockedWallets } from "../store/blockedWallets.js";
import { createDatabase, type Database } from "../store/database.js";
import { lockDataDirectory } from "../store/dataDirectoryLock.js";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../store/embeddedPostgres.js";
import { makeDirectory } from "../store/makeDirectory.js";
import { migrate } from "../store/migrate.js";
import { createRateLimits, noRateLimits } from "../store/rateLimits.js";
import { type AppContext, createApp } from "./app.js";
import type { Config } from "./config.js";
import { ConfigError } from "./configError.js";
import { createRecords } from "./createRecords.js";
import { writeSecret } from "./keys.js";
import { loadIssuers } from "./loadIssuers.js";
import { loadObligations } from "./loadObligations.js";
import { loadBudgets, loadPrices } from "./loadTerms.js";
import { openIdentity } from "./openIdentity.js";
import { openSettlement } from "./openSettlement.js";
import { openTracing } from "./openTracing.js";
import { originOf } from "./originOf.js";
import { readSettings } from "./readSettings.js";
import { verifyChainIdentity, verifyPayTo } from "./verifyChainIdentity.js";

const DRAIN_MS = 20_000;

export interface RunningService {
  readonly url: string;
  readonly context: AppContext;
  readonly devnet: Devnet | undefined;
  readonly postgres: EmbeddedPostgres | undefined;
  /** Whether people can look at it in a browser. */
  readonly hasConsole: boolean;
  /** Ends what it does by itself at intervals; callers are still answered. */
  stopJobs(): Promise<void>;
  /** Drains and leaves no process behind. */
  stop(): Promise<void>;
}

/** How each part that was started is stopped; the last one first. */
type Undo = (() => Promise<unknown>)[];

/** Starts every part in order; if one fails, those already started are stopped again. */
export async function startService(config: Config, logger: Logger): Promise<RunningService> {
  const undo: Undo = [];
  const stop = async () => {
    const failures: unknown[] = [];
    // One step that fails must not leave what was started before it, such as a database server, running.
    for (let step = undo.pop(); step; step = undo.pop())
      await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const tracing = await openTracing(config.tracing);
    useTracing(tracing);
    undo.push(() => tracing.close().catch(() => undefined));
    await makeDirectory(config.dataDir).catch((error: Error) => {
      throw new ConfigError(`DATA_DIR ${config.dataDir} cannot be used: ${error.message}.`);
    });
    if (!config.databaseUrl || !config.rpcUrls) undo.push(await lockDataDirectory(config.dataDir));
    const [devnet, postgres] = await startEmbeddedParts(config, undo);
    const obligations = await loadObligations(config.obligationsFile, devnet);
    const issuers = await loadIssuers(config.issuersFile, devnet);
    const metrics = createMetrics();

    const database = await openDatabase(config, postgres, logger, undo);
    const chain = await openChain(config, devnet, { logger, metrics }, undo);
    await verifyChainIdentity(database, chain);

    const identity = await openIdentity(config, database, logger);
    undo.push(async () => identity.close());
    const { signer, logSigner, secrets, endorsements } = identity;
    const freshness = createFreshness();
    const soldAnswers = createSoldAnswers(database);
    await followFreshness(database, freshness);
    const settings = await readSettings(config, devnet, chain, identity, issuers);
    await verifyPayTo(database, settings.payTo);
    await recoverAtStart({ database, chain, logger, settings });
    const failpoints = config.failpoint ? createFailpoints(config.failpoint) : noFailpoints;
    const breadcrumbs = config.breadcrumbPrivateKey
      ? createBreadcrumbs({ database, chain, logger, failpoints }, config.breadcrumbPrivateKey)
      : undefined;
    const connectionString = config.databaseUrl ?? (postgres as EmbeddedPostgres).connectionString;
    const settlement = await openSettlement(config, { chain, logger, connectionString, devnet }, undo);
    const demand = createDemandCounter(database, secrets.derive("demand"), config.rateLimits === "on");
    // After the last request; what cannot be written then is a hint lost, no reason to end badly.
    undo.push(() => demand.flush().catch(() => undefined));
    const fetcher = createPageFetcher({ settings });
    const renderer =
      config.browserPath === undefined ? null : createPageRenderer(config.browserPath, fetcher);
    const pages = createPageReader(fetcher, createPageParser(), renderer);
    undo.push(() => pages.close());
    const lastSignedAs = await findForeignOrigin(database, logSigner);
    if (lastSignedAs)
      logger.warn(
        { lastSignedAs, signsAs: logSigner.origin },
        "this database's log was last signed by another key, which has not endorsed this one: every process over it needs the same keys, and assay-admin rotate changes them",
      );
    const base = {
      settings,
      database,
      chain,
      logger,
      limits:
        config.rateLimits === "on" ? createRateLimits(database, await loadBudgets(config)) : noRateLimits,
      failpoints,
      metrics,
      metricsToken: config.metricsToken,
      freshness,
      soldAnswers,
      renewals: createRenewals(),
      prices: await loadPrices(config),
      signer,
      extensions: createExtensions(signer, settings),
      logSigner,
      logBreaks: await listLogBreaks(database),
      countReceiver: createReceiverCount(database, secrets.derive("evidence receivers")),
      facilitator: settlement.facilitator,
      endorsements,
      payerSignatures: createPayerSignatures(settings.stablecoin),
      channelTurns: createChannelTurns(),
      blockedWallets: await loadBlockedWallets(database),
      demand,
      pages,
      records: createRecords(database, settings),
      readClientAddress: createClientAddressReader(config.trustedProxies),
      isOwnHost: createOwnHostCheck(config.host, settings),
    };
    const challenges = createChallengeMemory(base, EXPOSED_HEADERS.join(","));
    const context: AppContext = { ...base, challenges };
    const checkReadiness = createReadinessCheck(base);
    const stopJobs = startJobs({ ...context, breadcrumbs, obligations, checkReadiness });
    undo.push(stopJobs);
    const localChain = devnet && (await describeLocalChain(devnet));
    const site = { files: loadConsole(CONSOLE_FOLDER), devnet: localChain };
    const findPeer = createPeerFinder(config.trustedProxies);
    const app = createApp(context, site);
    const listener = await listen(app, config.host, config.port, { challenges, findPeer }).catch(
      (error: Error) => {
        throw new ConfigError(`HOST and PORT cannot be listened on: ${sentenceOf(error)}.`);
      },
    );
    undo.push(() => listener.close(DRAIN_MS));
    // A successor that does not hear of it waits a little longer.
    undo.push(() => settlement.announceEnd().catch(() => undefined));
    const url = config.publicUrl ?? originOf(config.host, listener.port);
    (settings as { publicUrl: string }).publicUrl = url;
    if (localChain)
      await writeSecret(join(config.dataDir, "devnet.json"), JSON.stringify(localChain, null, 2));
    return { url, context, devnet, postgres, hasConsole: site.files.size > 0, stopJobs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The local chain with what to ask each capability there. A service on Base has no need of the samples' code. */
async function describeLocalChain(devnet: Devnet) {
  const { listLocalSamples } = await import("@assay/capabilities/samples");
  return { ...devnet.describe(), samples: listLocalSamples(devnet) };
}

async function openDatabase(
  config: Config,
  postgres: EmbeddedPostgres | undefined,
  logger: Logger,
  undo: Undo,
): Promise<Database> {
  const database = createDatabase({
    connectionString: config.databaseUrl ?? (postgres as EmbeddedPostgres).connectionString,
    onError: (err) => logger.warn({ err }, "database connection lost"),
  });
  undo.push(() => database.close());
  await database.ping().catch((error: Error) => {
    if (!config.databaseUrl) throw error;
    throw new ConfigError(`DATABASE_URL cannot be used: ${sentenceOf(error)}.`);
  });
  await migrate(database);
  return database;
}

async function openChain(
  config: Config,
  devnet: Devnet | undefined,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
  undo: Undo,
): Promise<Chain> {
  const chain = await createChain({
    rpcUrls: [...(config.rpcUrls ?? [(devnet as Devnet).rpcUrl])],
    expectedChainId: CHAIN_ID,
    logger,
    onRequest: ({ ms, ok }) => metrics.rpcSeconds.observe({ ok: String(ok) }, ms / 1000),
  }).catch((error: Error) => {
    if (!config.rpcUrls) throw error;
    throw new ConfigError(`RPC_URL cannot be used: ${sentenceOf(error)}.`);
  });
  undo.push(() => chain.close());
  return chain;
}

/** Where the workspace's build leaves the console. */
const CONSOLE_FOLDER = fileURLToPath(new URL("../console/dist/site", packageFolder));

/** What went wrong, without the final stop; failures of several addresses at once have no message of their own. */
function sentenceOf(error: Error): string {
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  return (cause.message || cause.name).replace(/\.$/, "");
}

async function startEmbeddedParts(
  config: Config,
  undo: Undo,
): Promise<[Devnet | undefined, EmbeddedPostgres | undefined]> {
  const startChain = async () => {
    if (config.rpcUrls) return undefined;
    // A service on Base need not load an EVM.
    const { createDevnet } = await import("@assay/devnet");
    const devnet = await createDevnet({ blockTimeMs: config.devnetBlockTimeMs });
    undo.push(() => devnet.close());
    return devnet;
  };
  const startDatabase = async () => {
    if (config.databaseUrl) return undefined;
    // The embedded chain lives in memory: each start is a new world, and old records would speak of another.
    const isNewWorld = config.rpcUrls === undefined;
    const postgres = await startEmbeddedPostgres({
      directory: config.dataDir,
      fresh: isNewWorld,
      durable: !isNewWorld,
    });
    undo.push(() => postgres.stop());
    return postgres;
  };
  const [chain, database] = await Promise.allSettled([startChain(), startDatabase()]);
  if (chain.status === "rejected") throw chain.reason;
  if (database.status === "rejected") throw database.reason;
  return [chain.value, database.value];
}
