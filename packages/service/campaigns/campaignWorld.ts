import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDevnet, type Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { parseEther, toHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { createDatabase, type Database } from "../src/store/database.js";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../src/store/embeddedPostgres.js";
import { migrate } from "../src/store/migrate.js";
import { type SpawnedService, spawnService } from "../test/spawnService.js";
import { chooseTemplate, copyOf } from "../test/templateDatabase.js";
import { keepNoAnswers } from "./keepNoAnswers.js";

export interface WorldOptions {
  /** The server for this campaign's database; without it, the campaign starts an embedded one. */
  readonly postgresUrl?: string | undefined;
  /** Whether the embedded server syncs to disk. */
  readonly durable?: boolean;
  readonly blockTimeMs?: number;
  /** Where the embedded server and the services keep their files; the system's folder for such files unless stated. */
  readonly directory?: string;
  /** A control: no answer is stored, and so nothing is paid. */
  readonly withoutAnswers?: boolean;
  /** A control: payments are taken, and the bytes that they bought are not stored. */
  readonly withoutBytes?: boolean;
}

/** One chain and one database, which outlive every service process that the campaign starts and kills. */
export interface CampaignWorld {
  readonly devnet: Devnet;
  readonly db: Database;
  /** Of the database, for statements that take longer than the service's may. */
  readonly connectionString: string;
  /** Starts the built service on this chain and database. */
  start(env?: Record<string, string>): Promise<ServiceProcess>;
  /** Stops the embedded database, and starts it again at the same address once `stayAway` has ended. */
  restartPostgres(stayAway: () => Promise<void>, signal: "SIGINT" | "SIGQUIT"): Promise<void>;
  /** Ends every process of the campaign. */
  close(): Promise<void>;
}

export interface ServiceProcess extends SpawnedService {
  readonly url: string;
  readonly startedInMs: number;
  isDead(): boolean;
  /** Ends it at once, as by `kill -9`, and waits until it is gone. */
  kill(): Promise<void>;
}

/** A world with one service in it, which several campaigns may share: a start costs more than a campaign's short form. */
export interface ServiceWorld {
  readonly world: CampaignWorld;
  readonly service: ServiceProcess;
}

export async function openServiceWorld(options: WorldOptions = {}): Promise<ServiceWorld> {
  const world = await createCampaignWorld(options);
  try {
    return { world, service: await world.start() };
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** Does the work at the shared service, or else at one of its own, which ends with it. */
export async function atService<T>(
  shared: ServiceWorld | undefined,
  options: WorldOptions,
  work: (opened: ServiceWorld) => Promise<T>,
): Promise<T> {
  if (shared) return work(shared);
  const opened = await openServiceWorld(options);
  try {
    return await work(opened);
  } finally {
    await opened.world.close();
  }
}

/** The process ended before it could be used. */
export class EndedAtStartError extends Error {
  override readonly name = "EndedAtStartError";
  constructor(
    readonly wasKilled: boolean,
    errors: string,
  ) {
    super(`the service ${wasKilled ? "was killed" : "ended"} while starting: ${errors}`);
  }
}

/** A campaign of an hour must not end because the machine was busy with something else for a minute. */
const READY_WITHIN_MS = 300_000;

const openWorlds = new Set<CampaignWorld>();

/** Closes what an interrupted campaign left open. */
export async function closeAllWorlds(): Promise<void> {
  await Promise.all([...openWorlds].map((world) => world.close()));
}

export async function createCampaignWorld(options: WorldOptions = {}): Promise<CampaignWorld> {
  const directory = await mkdtemp(join(options.directory ?? tmpdir(), "assay-campaign-"));
  // As root, PostgreSQL runs under another account, which must be able to enter the directory.
  await chmod(directory, 0o711);
  const devnet = await createDevnet({ blockTimeMs: options.blockTimeMs ?? 500 });
  const startPostgres = (fresh: boolean, port?: number) =>
    startEmbeddedPostgres({
      directory,
      fresh,
      durable: options.durable ?? false,
      ...(port !== undefined && { port }),
    });
  let postgres: EmbeddedPostgres | undefined;
  if (!options.postgresUrl) postgres = await startPostgres(true);
  const serverUrl = options.postgresUrl ?? (postgres as EmbeddedPostgres).connectionString;
  const name = `campaign_${randomBytes(8).toString("hex")}`;
  const server = createDatabase({ connectionString: serverUrl, maxConnections: 1 });
  await server.query({ text: `CREATE DATABASE ${name} ${copyOf(await chooseTemplate(server))}` });
  await server.close();
  const connectionString = serverUrl.replace(/\/postgres$/, `/${name}`);
  const db = createDatabase({ connectionString, onError: () => undefined });
  await migrate(db);
  if (options.withoutAnswers) await keepNoAnswers(db, "row");
  if (options.withoutBytes) await keepNoAnswers(db, "bytes");

  const running = new Set<SpawnedService>();
  const settlerKeys: Hex[] = [devnet.settler.privateKey];
  const takenKeys = new Set<Hex>();
  const environment = {
    DATA_DIR: join(directory, "data"),
    DATABASE_URL: connectionString,
    RPC_URL: devnet.rpcUrl,
    PAY_TO: devnet.payTo,
    // Processes that share a database share the key that signs results and binds prices.
    SERVICE_SIGNING_KEY: `0x${"5a".repeat(32)}`,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
  };

  async function start(env: Record<string, string> = {}): Promise<ServiceProcess> {
    const startedAt = performance.now();
    // Each process settles with a key that no other one uses.
    const free = settlerKeys.find((key) => !takenKeys.has(key));
    const SETTLER_PRIVATE_KEY = free ?? toHex(randomBytes(32));
    takenKeys.add(SETTLER_PRIVATE_KEY);
    if (free === undefined) {
      settlerKeys.push(SETTLER_PRIVATE_KEY);
      const settler = privateKeyToAddress(SETTLER_PRIVATE_KEY);
      await devnet.request("hardhat_setBalance", [settler, toHex(parseEther("1000"))]);
    }
    const spawned = spawnService({ ...environment, SETTLER_PRIVATE_KEY, ...env });
    running.add(spawned);
    void spawned.ended().then(() => {
      running.delete(spawned);
      takenKeys.delete(SETTLER_PRIVATE_KEY);
    });
    const { child } = spawned;
    const isDead = () => child.exitCode !== null || child.signalCode !== null;
    const url = await Promise.race([
      spawned.ready(READY_WITHIN_MS),
      spawned.ended().then(() => {
        throw new EndedAtStartError(child.signalCode === "SIGKILL", spawned.errors());
      }),
    ]);
    return {
      ...spawned,
      url,
      startedInMs: Math.round(performance.now() - startedAt),
      isDead,
      async kill() {
        if (!isDead()) child.kill("SIGKILL");
        await spawned.ended();
      },
    };
  }

  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    openWorlds.delete(world);
    await Promise.all([...running].map((spawned) => spawned.stop("SIGKILL")));
    await db.close();
    if (options.postgresUrl) {
      const last = createDatabase({ connectionString: serverUrl, maxConnections: 1 });
      await last.query({ text: `DROP DATABASE ${name} WITH (FORCE)` });
      await last.close();
    }
    await postgres?.stop();
    await devnet.close();
    await rm(directory, { recursive: true, force: true });
  }

  const world: CampaignWorld = {
    devnet,
    db,
    connectionString,
    start,
    async restartPostgres(stayAway, signal) {
      if (!postgres) throw new Error("this campaign did not start the server and may not restart it");
      const port = Number(new URL(postgres.connectionString).port);
      if (signal === "SIGQUIT") process.kill(postgres.pid, signal);
      // Waits until the server has ended, by the signal above or by this call.
      await postgres.stop();
      await stayAway();
      postgres = await startPostgres(false, port);
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
  openWorlds.add(world);
  return world;
}
