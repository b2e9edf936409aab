import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { packageFolder } from "../base/packageFolder.js";
import { createDatabase } from "./database.js";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embeddedPostgres.js";
import { isRunning } from "./processes.js";

// One cluster for all tests, because making one takes longer than anything they do with it.
let directory: string;
let running: EmbeddedPostgres[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-postgres-"));
  // Reachable for the account the server runs under when the tests run as root.
  await chmod(directory, 0o711);
});
afterEach(async () => {
  for (const postgres of running) await postgres.stop();
  running = [];
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function start(options: { fresh: boolean; port?: number }): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory, durable: false, ...options });
  running.push(postgres);
  return postgres;
}

async function ask<Row>(postgres: EmbeddedPostgres, text: string): Promise<Row[]> {
  const database = createDatabase({ connectionString: postgres.connectionString, maxConnections: 1 });
  try {
    return await database.query<Row>({ text });
  } finally {
    await database.close();
  }
}

/** Ids of the running processes whose command line names this directory. */
async function listProcesses(): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return pids.filter((pid, at) => commands[at]?.includes(directory) && isRunning(pid));
}

test("data outlives a restart, unless a fresh start is asked for", async () => {
  const first = await start({ fresh: false });
  await ask(first, "CREATE TABLE kept AS SELECT 42 AS answer");
  await first.stop();

  const second = await start({ fresh: false });
  expect(await ask(second, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
  await second.stop();

  const third = await start({ fresh: true });
  await expect(ask(third, "SELECT answer FROM kept")).rejects.toThrow(/does not exist/);
  await ask(third, "CREATE TABLE kept AS SELECT 42 AS answer");
});

test("a fresh start makes a new cluster of one that cannot be used", async () => {
  const first = await start({ fresh: true });
  await first.stop();
  await writeFile(join(first.dataDirectory, "PG_VERSION"), "9.6\n");
  const second = await start({ fresh: true });
  expect(await ask(second, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("stopping leaves no process, can be repeated, and the port can be taken again", async () => {
  const postgres = await start({ fresh: false });
  expect(isRunning(postgres.pid)).toBe(true);
  if (process.platform === "linux") expect(await listProcesses()).toContain(postgres.pid);
  await postgres.stop();
  await postgres.stop();
  expect(isRunning(postgres.pid)).toBe(false);
  if (process.platform === "linux") expect(await listProcesses()).toEqual([]);

  const port = Number(new URL(postgres.connectionString).port);
  const again = await start({ fresh: false, port });
  expect(again.connectionString).toBe(postgres.connectionString);
  expect(await ask(again, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("nobody gets in without the password, which only the owner can read", async () => {
  const postgres = await start({ fresh: false });
  const url = new URL(postgres.connectionString);
  expect(url.hostname).toBe("127.0.0.1");
  url.password = "wrong";
  await expect(ask({ ...postgres, connectionString: url.href }, "SELECT 1")).rejects.toThrow(/password/);
});

test("a port that is taken is said in the error, and nothing is left running", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as AddressInfo;
  await expect(start({ fresh: false, port })).rejects.toThrow(/PostgreSQL exited at start: .*in use/s);
  if (process.platform === "linux") expect(await listProcesses()).toEqual([]);
  holder.close();
});

const dist = new URL("dist/src/store/embeddedPostgres.js", packageFolder);

async function startInChild(): Promise<{ child: ChildProcess; postgresPid: number }> {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(dist.href)});
    const { pid } = await startEmbeddedPostgres({ directory: process.env.DIRECTORY, fresh: false, durable: false });
    console.log(pid);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, DIRECTORY: directory },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { child, postgresPid: Number(line) };
}

test("a server left over by a killed service is stopped first, and its data is kept", async () => {
  const { child, postgresPid } = await startInChild();
  const dead = once(child, "exit");
  child.kill("SIGKILL");
  await dead;
  // It was started in its own process group, so it survives its parent: that is what must be handled.
  expect(isRunning(postgresPid)).toBe(true);
  const postgres = await start({ fresh: false });
  expect(isRunning(postgresPid)).toBe(false);
  expect(await ask(postgres, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});
