import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { getProxyAddress, getTill, priceMicroUsd, stablecoin } from "./benchAccounts.mjs";
import { startProcess } from "./startProcess.mjs";

const startTimeoutMs = 60_000;
const peerScript = fileURLToPath(new URL("peerServer.mjs", import.meta.url));
export const assayScript = fileURLToPath(new URL("../packages/service/dist/bundle/main.js", import.meta.url));

/** `--before=<folder>`: another checkout, built, whose service takes the place of the peers. */
const folderBefore = process.argv.find((word) => word.startsWith("--before="))?.slice("--before=".length);
const scriptBefore = folderBefore && join(resolve(folderBefore), "packages/service/dist/bundle/main.js");

/** The compared subjects, by their names in the results. */
export const subjectNames = folderBefore ? ["before", "assay"] : ["peer", "tuned", "assay"];
/** The one that Assay is compared with where one is enough. */
export const firstSubject = subjectNames[0];
/** The scripts that must exist. */
export const neededScripts = [assayScript, ...(scriptBefore ? [scriptBefore] : [])];
/** Subjects that sell a stored answer again. */
export const sellsHits = (name) => name === "assay" || name === "before";

const starters = {
  peer: startPeer,
  tuned: (environment) => startPeer({ ...environment, TUNED: "1" }),
  assay: (...given) => startAssay(assayScript, ...given),
  before: (...given) => startAssay(scriptBefore, ...given),
};

/**
 * Starts one subject and waits for its first 402. `nodeArgs` go to Node before the script; `dataDir` is Assay's and
 * is kept after a stop when given.
 */
export async function startSubject(name, chain, { nodeArgs = [], dataDir } = {}) {
  const { settlerKey, payTo } = getTill(name);
  const port = await findFreePort();
  const environment = {
    PORT: String(port),
    RPC_URL: chain.getRpcUrl(name),
    SETTLER_PRIVATE_KEY: settlerKey,
    PAY_TO: payTo,
  };
  const startedAt = performance.now();
  const { handle, path, dataDir: usedDir } = starters[name](environment, nodeArgs, dataDir);
  const subject = {
    name,
    pid: handle.pid,
    payTo,
    dataDir: usedDir,
    getUrl: (address) => `http://127.0.0.1:${port}${path}${address}`,
    origin: `http://127.0.0.1:${port}`,
    getPath: (address) => `${path}${address}`,
    readOutput: handle.readOutput,
    stop: handle.stop,
  };
  try {
    while ((await readStatus(subject.getUrl(getProxyAddress(0)))) !== 402) {
      if (handle.hasEnded() || performance.now() - startedAt > startTimeoutMs)
        throw new Error(`${name} did not start. ${handle.readOutput()}`);
      await sleep(4);
    }
  } catch (error) {
    await handle.stop();
    throw error;
  }
  return { ...subject, startMs: performance.now() - startedAt };
}

function startPeer(environment) {
  const handle = startProcess({
    args: [peerScript],
    env: environment,
    withIpc: true,
    stopSignal: "SIGTERM",
  });
  return { handle, path: "/guard?address=" };
}

/** The service itself, with its embedded PostgreSQL in the durable settings that it uses with every chain but its own. */
function startAssay(script, environment, nodeArgs, givenDataDir) {
  const dataDir = givenDataDir ?? createDataDir();
  // One price for hits and misses, so that the income counts the calls.
  const usd = priceMicroUsd / 1e6;
  const pricesFile = join(dataDir, "prices.json");
  writeFileSync(
    pricesFile,
    JSON.stringify({ "contract.guard": { cacheHitUsd: usd, fingerprintHitUsd: usd, cacheMissUsd: usd } }),
  );
  const handle = startProcess({
    args: [...nodeArgs, script],
    env: {
      ...environment,
      DATA_DIR: dataDir,
      STABLECOIN_ADDRESS: stablecoin,
      PRICES_FILE: pricesFile,
      RATE_LIMITS: "off",
      LOG_LEVEL: "warn",
    },
    // It finishes its calls and stops its PostgreSQL; a kill would leave that running.
    stopSignal: "SIGINT",
    graceMs: 30_000,
    onKill: () => stopLeftPostgres(dataDir),
    onStopped: () => {
      if (!givenDataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  });
  return { handle, dataDir, path: "/api/v1/capabilities/contract.guard/invoke?address=" };
}

/** PostgreSQL runs under another account when this process is root, and must be able to enter the folder. */
export function createDataDir() {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-bench-"));
  chmodSync(dataDir, 0o711);
  return dataDir;
}

function stopLeftPostgres(dataDir) {
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  if (!existsSync(pidFile)) return;
  try {
    process.kill(Number(readFileSync(pidFile, "utf8").split("\n")[0]), "SIGINT");
  } catch {
    // It had already stopped.
  }
}

function findFreePort() {
  return new Promise((found, fail) => {
    const server = createServer().once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

function readStatus(url) {
  return new Promise((done) => {
    get(url, { agent: false }, (response) => {
      response.resume().on("end", () => done(response.statusCode));
    }).on("error", () => done(undefined));
  });
}
