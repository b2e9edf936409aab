import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSharedDevnet } from "../../packages/devnet/src/testing/sharedDevnet.js";
import { type CapabilityResult, sharePath } from "../../packages/protocol/src/index.js";
import { createTestDatabase } from "../../packages/service/test/createTestDatabase.js";
import { accountOf, fetchChallenge, send, signPayment } from "../../packages/service/test/payer.js";
import { checkContainer } from "./checkContainer.mjs";
import { mayMakeRoots, readStages, replayRuntime } from "./replayStages.mjs";

// The short form of `npm run campaign:container`: what is built here stands for the Dockerfile's first stage, and nothing is measured.
// Where this process may not make roots, the files of the last stage run as they are, without read-only root, user and shell.

async function findFreePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return String(port);
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "assay-image-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("the image's last stage serves, draws and traces from a read-only root without shell, as an ordinary user", async () => {
  const folder = await makeFolder();
  const [buildRoot, root] = [join(folder, "build"), join(folder, "runtime")];
  for (const path of [buildRoot, root]) mkdirSync(path);
  execFileSync(process.execPath, [join(import.meta.dirname, "../assemble.mjs"), join(buildRoot, "assay")]);
  const isRoot = mayMakeRoots();
  const [, runtime] = readStages(join(import.meta.dirname, "../Dockerfile"));
  const image = replayRuntime(root, runtime, { rootOf: () => buildRoot, isRoot });

  const devnet = await openSharedDevnet({ blockTimeMs: 500 });
  onTestFinished(() => devnet.close());
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const findings: [boolean, string][] = [];
  await checkContainer({
    ...{ root, image, isRoot, starts: 0, port: await findFreePort() },
    env: {
      HOST: "127.0.0.1",
      DATABASE_URL: database.connectionString,
      RPC_URL: devnet.rpcUrl,
      PAY_TO: devnet.payTo,
      STABLECOIN_ADDRESS: devnet.stablecoin.address,
      SETTLER_PRIVATE_KEY: devnet.settler.privateKey,
      LOG_LEVEL: "error",
    },
    async buy(url: string) {
      const path = `/api/v1/capabilities/contract.guard/invoke?address=${devnet.contracts.upgradeableProxy}`;
      const alice = accountOf({ chainOf: devnet }, "alice");
      const response = await send(url + path, await signPayment(alice, await fetchChallenge(url + path)));
      if (response.status !== 200) return undefined;
      const { invocationId, evidenceReference } = (await response.json()) as CapabilityResult;
      return sharePath(invocationId, evidenceReference.signature);
    },
    check: (holds: boolean, sentence: string) => findings.push([holds, sentence]),
  });
  expect(findings.filter(([holds]) => !holds).map(([, sentence]) => sentence)).toEqual([]);
  expect(findings).toHaveLength(isRoot ? 13 : 7);
}, 120_000);
