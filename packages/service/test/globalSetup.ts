import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { packageFolder } from "../src/base/packageFolder.js";
import { createDatabase, type Database } from "../src/store/database.js";
import { startEmbeddedPostgres } from "../src/store/embeddedPostgres.js";
import { migrate } from "../src/store/migrate.js";
import { TEMPLATE_DATABASE } from "./templateDatabase.js";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

interface Running {
  readonly url: string;
  users: number;
  stop(): Promise<void>;
}

let running: Promise<Running> | undefined;

/** One real PostgreSQL for the whole run, shared by the projects that ask for it; each test makes its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  running ??= start();
  const postgres = await running;
  postgres.users += 1;
  project.provide("postgresUrl", postgres.url);
  return async () => {
    postgres.users -= 1;
    if (postgres.users === 0) await postgres.stop();
  };
}

async function start(): Promise<Running> {
  const [running] = await Promise.all([startPostgres(), build()]);
  return running;
}

async function startPostgres(): Promise<Running> {
  const directory = await mkdtemp(join(await chooseFolder(), "assay-test-"));
  // As root, PostgreSQL runs under another account and would otherwise move to /var/tmp, where nobody cleans up.
  await chmod(directory, 0o711);
  const postgres = await startEmbeddedPostgres({
    ...{ directory, fresh: true, durable: false },
    // Services of several workers, a pool each.
    maxConnections: 500,
  });
  await createTemplate(postgres.connectionString);
  return {
    url: postgres.connectionString,
    users: 0,
    async stop() {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Bytes: what the databases of a run take, several times over. */
const ROOM = 2 * 2 ** 30;

/** Memory, where the system offers it as a folder: copying a database there takes a fifth of the time that it takes on a disk. */
async function chooseFolder(): Promise<string> {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = await statfs(memory);
    await access(memory, constants.W_OK);
    return bavail * bsize > ROOM ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Tests run from sources; the processes they start run from what is built, which must be of the same sources. */
async function build(): Promise<void> {
  const building = spawn("npm", ["run", "--silent", "build"], {
    cwd: fileURLToPath(new URL("../../", packageFolder)),
    stdio: "inherit",
    // Not the environment of a test run, in which React would be built for development.
    env: { ...process.env, NODE_ENV: "production" },
  });
  const [code] = await once(building, "exit");
  if (code !== 0) throw new Error(`npm run build ended with ${code}.`);
}

async function createTemplate(serverUrl: string): Promise<void> {
  const server = createDatabase({ connectionString: serverUrl, maxConnections: 1 });
  await forgetStretching(server, new URL(serverUrl));
  await server.query({ text: `CREATE DATABASE ${TEMPLATE_DATABASE}` });
  const template = createDatabase({
    connectionString: serverUrl.replace(/\/postgres$/, `/${TEMPLATE_DATABASE}`),
    maxConnections: 1,
  });
  await migrate(template);
  await template.close();
  await server.close();
}

/** The same password, hashed once instead of 4,096 times: each of thousands of connections computes it again. */
async function forgetStretching(server: Database, { username, password }: URL): Promise<void> {
  await server.transaction(async (tx) => {
    await tx.query({ text: "SET LOCAL scram_iterations = 1" });
    await tx.query({ text: `ALTER ROLE ${username} PASSWORD '${password}'` });
  });
}
