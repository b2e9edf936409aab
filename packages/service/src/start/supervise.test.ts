import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@assay/chain/testing/until";
import { expect, onTestFinished, test } from "vitest";
import { listProcessesOf, spawnService } from "../../test/spawnService.js";
import { useTestService } from "../../test/useTestService.js";

const service = useTestService();

/** Processes that the supervisor has started and that have not ended. Linux only. */
async function listWorkers(supervisor: number): Promise<number[]> {
  const text = await readFile(`/proc/${supervisor}/task/${supervisor}/children`, "utf8");
  return text.trim().split(" ").filter(Boolean).map(Number);
}

/** Two workers on the test's chain and database. */
async function startWorkers() {
  const dataDir = await mkdtemp(join(tmpdir(), "assay-workers-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { chainOf, db } = service;
  const keys = chainOf.accounts.slice(0, 2).map(({ privateKey }) => privateKey);
  const spawned = spawnService({
    WORKERS: "2",
    DATABASE_URL: db.connectionString,
    RPC_URL: chainOf.rpcUrl,
    PAY_TO: chainOf.payTo,
    STABLECOIN_ADDRESS: chainOf.stablecoin.address,
    SERVICE_SIGNING_KEY: `0x${"5e".repeat(32)}`,
    SETTLER_PRIVATE_KEY: keys.join(","),
    DATA_DIR: dataDir,
  });
  onTestFinished(async () => {
    await spawned.stop("SIGTERM");
  });
  const url = await spawned.ready();
  await until(async () => (spawned.output().includes("All 2 workers answer") ? true : undefined), 60_000);
  const supervisor = spawned.child.pid as number;
  /** The workers, once there are two and none of these is among them. */
  const listOthers = (former: readonly number[]) =>
    until(async () => {
      const pids = await listWorkers(supervisor);
      return pids.length === 2 && pids.every((pid) => !former.includes(pid)) ? pids : undefined;
    }, 60_000);
  const ask = async () =>
    (await fetch(`${url}/api/v1/capabilities`, { headers: { connection: "close" } })).status;
  return { spawned, listOthers, ask, dataDir };
}

test("workers share one port, a dead one is replaced, and one signal stops them all", async () => {
  const { spawned, listOthers, ask, dataDir } = await startWorkers();
  const [first, second] = (await listOthers([])) as [number, number];
  process.kill(first, "SIGKILL");
  expect(await listOthers([first])).toContain(second);
  expect(await ask()).toBe(200);
  expect(await spawned.stop("SIGTERM")).toBe(0);
  expect(await listProcessesOf(dataDir)).toEqual([]);
});

// Four starts of the service: only in the long form.
test.runIf(process.env.ASSAY_EVERY_MOMENT)(
  "all workers are replaced, one after another, and no request is refused meanwhile",
  async () => {
    const { spawned, listOthers, ask } = await startWorkers();
    const former = await listOthers([]);
    spawned.child.kill("SIGUSR2");
    const statuses = new Set<number>();
    let isOver = false;
    const asking = (async () => {
      while (!isOver) statuses.add(await ask());
    })();
    await listOthers(former);
    isOver = true;
    await asking;
    expect([...statuses]).toEqual([200]);
  },
  180_000,
);
