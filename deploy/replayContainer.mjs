// Replays the Dockerfile's steps on a machine without containers: each stage in a root of its own, made of namespaces and chroot. The
// last root has the node program, its libraries and what the stage copies, and no shell. `npm run campaign:container` (as root, on
// Linux; a few minutes); with `-- --built`, what `npm run build` made here stands for the first stage. The short form is container.test.ts.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { sharePath } from "../packages/protocol/dist/index.js";
import { createCampaignWorld } from "../packages/service/dist/campaigns/campaignWorld.js";
import {
  attempt,
  createPayer,
  guardPath,
  prepareCall,
} from "../packages/service/dist/campaigns/paidCalls.js";
import { checkContainer } from "./container/checkContainer.mjs";
import { mayMakeRoots, readStages, replayBuild, replayRuntime } from "./container/replayStages.mjs";

const STARTS = 5;
const MOST_MS = 1500;

const repository = join(import.meta.dirname, "..");
const faults = [];
const note = (line) => process.stdout.write(`      ${line}\n`);
const check = (holds, sentence) => {
  process.stdout.write(`${holds ? "ok   " : "FAULT"} ${sentence}\n`);
  if (!holds) faults.push(sentence);
};

if (!mayMakeRoots())
  throw new Error("roots of their own need Linux and the right to mount: run this as root");
const folder = mkdtempSync(join(tmpdir(), "assay-container-"));
const [buildRoot, root] = [join(folder, "build"), join(folder, "runtime")];
const world = await createCampaignWorld();
try {
  const [build, runtime] = readStages(join(import.meta.dirname, "Dockerfile"));
  mkdirSync(buildRoot);
  mkdirSync(root);
  if (process.argv.includes("--built"))
    execFileSync(process.execPath, [join(repository, "deploy/assemble.mjs"), join(buildRoot, "assay")]);
  else replayBuild(repository, buildRoot, build, { check, note });
  const rootOf = (name) => {
    if (name !== build.name) throw new Error(`no stage ${name}`);
    return buildRoot;
  };
  const image = replayRuntime(root, runtime, { rootOf, isRoot: true });
  const { times, cpuTimes } = await checkContainer({
    root,
    image,
    port: "18402",
    starts: STARTS,
    isRoot: true,
    check,
    env: {
      HOST: "127.0.0.1",
      DATABASE_URL: world.connectionString,
      RPC_URL: world.devnet.rpcUrl,
      PAY_TO: world.devnet.payTo,
      SETTLER_PRIVATE_KEY: world.devnet.settler.privateKey,
      LOG_LEVEL: "error",
    },
    async buy(url) {
      const payer = createPayer(world.devnet.accounts[0].privateKey);
      const path = guardPath(world.devnet.contracts.upgradeableProxy);
      const { status, body } = await attempt(url, await prepareCall(url, payer, path));
      if (status !== 200) return undefined;
      const { invocationId, evidenceReference } = JSON.parse(body);
      return sharePath(invocationId, evidenceReference.signature);
    },
  });
  // Others on the machine make a start slower and never faster.
  check(
    times[0] <= MOST_MS,
    `ready with PostgreSQL and a node outside after ${times.join(", ")} ms, the fastest at most ${MOST_MS}`,
  );
  note(`processor time ${cpuTimes.join(", ")} ms; load of the machine ${loadavg()[0].toFixed(1)}`);
} finally {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = faults.length > 0 ? 1 : 0;
