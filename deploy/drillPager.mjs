// A settling key runs dry, and somebody is paged: the service, Prometheus with alerts.yml, Alertmanager with alertmanager.yml and a receiver at
// its end are real. Then the key gets ether, and a notice says that it is over. `npm run campaign:pager` (Debian: prometheus,
// prometheus-alertmanager; some two minutes).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { privateKeyToAddress } from "viem/accounts";
import { createCampaignWorld } from "../packages/service/dist/campaigns/campaignWorld.js";

const KEY = `0x${"7e".repeat(32)}`;
const PATIENCE_MS = 240_000;
const PROMETHEUS = "127.0.0.1:19590";
const ALERTMANAGER = "127.0.0.1:19593";

const folder = mkdtempSync(join(tmpdir(), "assay-pager-"));
const read = (path) => readFileSync(join(import.meta.dirname, "prometheus", path), "utf8");
const startedAt = Date.now();
const say = (line) =>
  process.stdout.write(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

/** Every notice that reached the operator's address, in Alertmanager's JSON. */
const notices = [];
const receiver = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  for (const { status, labels, annotations } of JSON.parse(text).alerts) {
    notices.push({ status, name: labels.alertname });
    say(
      `notice: ${status} ${labels.alertname} (${labels.severity}): ${annotations.summary} ${annotations.runbook}`,
    );
  }
  response.writeHead(200).end();
});
const programs = [];
const run = (program, args) => {
  const child = spawn(program, args, { stdio: "ignore" });
  child.once("error", () => {
    throw new Error(`${program} is not installed`);
  });
  programs.push(child);
};
async function until(what, isSo) {
  for (const endMs = Date.now() + PATIENCE_MS; !(await isSo()); await sleep(500))
    if (Date.now() > endMs) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${what}`);
  say(what);
}
const isNoticed = (status, name) => () => notices.some((one) => one.status === status && one.name === name);

const world = await createCampaignWorld();
try {
  const giveEther = (ether) =>
    world.devnet.request("hardhat_setBalance", [
      privateKeyToAddress(KEY),
      `0x${(BigInt(ether) * 10n ** 18n).toString(16)}`,
    ]);
  await giveEther(1);
  const { url } = await world.start({ SETTLER_PRIVATE_KEY: KEY });
  const health = async () => (await fetch(`${url}/api/v1/health`)).status;
  await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  writeFileSync(join(folder, "alerts.yml"), read("alerts.yml"));
  writeFileSync(
    join(folder, "prometheus.yml"),
    read("prometheus.yml")
      .replaceAll("15s", "2s")
      .replace("alertmanager:9093", ALERTMANAGER)
      .replace(/ {4}authorization:\n.*\n/, "")
      .replace(
        / {4}# Every process(.|\n)*$/,
        `    static_configs: [{ targets: ["${new URL(url).host}"] }]\n`,
      ),
  );
  // Debian's Alertmanager is older than addresses in files (0.26). The first notice of a group waits for others.
  writeFileSync(
    join(folder, "alertmanager.yml"),
    read("alertmanager.yml")
      .replace(/url_file: .*/, `url: "http://127.0.0.1:${receiver.address().port}/"`)
      .replace("group_wait: 15s", "group_wait: 1s")
      .replace("group_interval: 1m", "group_interval: 5s"),
  );
  run("prometheus", [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/series`,
    `--web.listen-address=${PROMETHEUS}`,
  ]);
  run("prometheus-alertmanager", [
    `--config.file=${folder}/alertmanager.yml`,
    `--storage.path=${folder}/alerts`,
    `--web.listen-address=${ALERTMANAGER}`,
    "--cluster.listen-address=",
  ]);
  await until("the service is healthy", async () => (await health()) === 200);
  await sleep(10_000);
  if (notices.length > 0) throw new Error("somebody was paged about a healthy service");

  await giveEther(0);
  say("the settling key has no ether");
  await until("health is 503", async () => (await health()) === 503);
  await until("AssaySettlerEmpty has reached the operator", isNoticed("firing", "AssaySettlerEmpty"));
  await giveEther(1);
  say("the settling key has ether again");
  await until("health is 200, without a restart", async () => (await health()) === 200);
  await until(
    "the end of AssaySettlerEmpty has reached the operator",
    isNoticed("resolved", "AssaySettlerEmpty"),
  );
} finally {
  for (const child of programs) {
    child.kill("SIGKILL");
    await once(child, "close");
  }
  receiver.closeAllConnections();
  receiver.close();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
}
