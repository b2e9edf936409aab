import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDevnet, type Devnet } from "@assay/devnet";
import { pino } from "pino";
import { createLocalSigner } from "../src/base/signers/digestSigner.js";
import type { Facilitator } from "../src/payments/facilitator.js";
import { reconcileAbandoned } from "../src/payments/reconcile.js";
import { createRemoteFacilitator } from "../src/payments/remoteFacilitator.js";
import { createInProcessFacilitator } from "../src/payments/settlement/inProcessFacilitator.js";
import { readConfig } from "../src/start/config.js";
import { type RunningService, startService } from "../src/start/startService.js";
import { createDatabase, type Database } from "../src/store/database.js";
import { migrate } from "../src/store/migrate.js";
import { chooseTemplate, copyOf } from "../test/templateDatabase.js";
import { type HostileFacilitator, startHostileFacilitator } from "./hostileFacilitator.js";
import { type HostileNode, startHostileNode } from "./hostileNode.js";
import { createHostileOutsiders, type HostileOutsiders } from "./hostileOutsiders.js";

export interface HostileWorldOptions {
  readonly postgresUrl: string;
  /** Settles through the hostile facilitator, or in process through the hostile node. */
  readonly through: "facilitator" | "node";
  /** A control: takes the facilitator's word for a settlement. */
  readonly trusting?: boolean;
}

/** The real service between honest clients and a dishonest facilitator or node. */
export interface HostileWorld {
  readonly url: string;
  readonly context: RunningService["context"];
  readonly devnet: Devnet;
  readonly db: Database;
  readonly outsiders: HostileOutsiders;
  readonly facilitator: HostileFacilitator;
  readonly node: HostileNode;
  /** Moves the chain's clock past every authorization and has the chain decide what is still open. */
  decideEverything(): Promise<void>;
  close(): Promise<void>;
}

const TIMEOUTS = { verifyMs: 700, settleMs: 900 };
const PATIENCE = { giveUpMs: 2_500, stuckMs: 300, closeMs: 500 };
const BEYOND_VALIDITY_SECONDS = 400;

export async function openHostileWorld(options: HostileWorldOptions): Promise<HostileWorld> {
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const devnet = await createDevnet({ blockTimeMs: 250 });
    closers.push(() => devnet.close());
    // A node that lags must not be back before the day the payers got their money.
    await devnet.mine(20);
    const { db, connectionString } = await openDatabase(options.postgresUrl, closers);
    const directory = await mkdtemp(join(tmpdir(), "assay-hostile-"));
    closers.push(() => rm(directory, { recursive: true, force: true }));
    const outsiders = await createHostileOutsiders(devnet);
    closers.push(() => outsiders.close());
    const facilitator = await startHostileFacilitator(outsiders);
    closers.push(() => facilitator.close());
    const node = await startHostileNode(devnet);
    closers.push(() => node.close());
    const service = await startService(
      readConfig({
        PORT: "0",
        DATA_DIR: directory,
        DATABASE_URL: connectionString,
        RPC_URL: options.through === "node" ? node.url : devnet.rpcUrl,
        PAY_TO: devnet.payTo,
        // The jobs settle through what the settings name.
        ...(options.through === "facilitator"
          ? { FACILITATOR_URL: facilitator.url }
          : { SETTLER_PRIVATE_KEY: devnet.settler.privateKey }),
        RATE_LIMITS: "off",
        LOG_LEVEL: "silent",
      }),
      pino({ level: "silent" }),
    );
    closers.push(() => service.stop());
    const impatient = createFacilitator(service, devnet, facilitator.url, options);
    closers.push(() => impatient.close());
    (service.context as { facilitator: Facilitator }).facilitator = impatient;
    return {
      url: service.url,
      context: service.context,
      devnet,
      db,
      outsiders,
      facilitator,
      node,
      decideEverything: () => decideEverything(service, devnet, db),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function openDatabase(serverUrl: string, closers: (() => Promise<unknown>)[]) {
  const name = `hostile_${randomBytes(8).toString("hex")}`;
  const server = createDatabase({ connectionString: serverUrl, maxConnections: 1 });
  closers.push(() => server.close());
  await server.query({ text: `CREATE DATABASE ${name} ${copyOf(await chooseTemplate(server))}` });
  closers.push(() => server.query({ text: `DROP DATABASE ${name} WITH (FORCE)` }));
  const connectionString = serverUrl.replace(/\/postgres$/, `/${name}`);
  const db = createDatabase({ connectionString });
  closers.push(() => db.close());
  await migrate(db);
  return { db, connectionString };
}

/** What the service would build from its settings, but less patient: a campaign has many silences to wait through. */
function createFacilitator(
  { context }: RunningService,
  devnet: Devnet,
  url: string,
  { through, trusting = false }: HostileWorldOptions,
): Facilitator {
  if (through === "facilitator") return { ...createRemoteFacilitator(url, TIMEOUTS), isTrusted: trusting };
  return createInProcessFacilitator({
    chain: context.chain,
    logger: context.logger,
    signers: [createLocalSigner(devnet.settler.privateKey)],
    patience: PATIENCE,
  });
}

async function decideEverything({ context }: RunningService, devnet: Devnet, db: Database): Promise<void> {
  await devnet.request("evm_increaseTime", [BEYOND_VALIDITY_SECONDS]);
  await devnet.mine(3);
  // A busy machine needs more than a minute for two hundred calls.
  const endMs = Date.now() + 180_000;
  for (;;) {
    const [open] = await db.query<{ n: bigint }>({
      text: "SELECT count(*) n FROM invocations WHERE state IN ('reserved', 'settling', 'unknown')",
    });
    if (open?.n === 0n || Date.now() > endMs) return;
    await db.query({
      text: "UPDATE invocations SET lease_until = now() - interval '1 second' WHERE state IN ('reserved', 'settling', 'unknown')",
    });
    await reconcileAbandoned(context, 1_000);
  }
}
