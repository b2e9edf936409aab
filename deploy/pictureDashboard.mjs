// Draws grafana/assay.json with the series of a real load, by a Prometheus that reads two processes while calls are paid. Grafana itself
// is in neither npm nor Debian; every panel's own query is asked of Prometheus. `npm run campaign:dashboard -- --out=<picture.png>`
// (Debian: prometheus, chromium-headless-shell; `--prometheus=<path>` and `--browser=<path>` name others).
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createCampaignWorld } from "../packages/service/dist/campaigns/campaignWorld.js";
import { listLoads } from "../packages/service/dist/campaigns/mixedLoad.js";
import { drawDashboard } from "./drawDashboard.mjs";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "dashboard.png" },
    seconds: { type: "string", default: "180" },
    prometheus: { type: "string", default: "prometheus" },
    browser: { type: "string", default: "chromium-headless-shell" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "assay-dashboard-"));
const PORT = 19_490;
const url = `http://127.0.0.1:${PORT}`;

const ask = async (path) => {
  const response = await fetch(url + path);
  if (!response.ok) throw new Error(`Prometheus answers ${response.status}: ${await response.text()}`);
  return (await response.json()).data.result;
};

const world = await createCampaignWorld();
let prometheus;
try {
  const processes = [await world.start(), await world.start()];
  const targets = processes.map((one) => `"${new URL(one.url).host}"`).join(", ");
  writeFileSync(
    join(folder, "prometheus.yml"),
    `global: { scrape_interval: 2s, evaluation_interval: 2s }\nrule_files: [${join(import.meta.dirname, "prometheus/alerts.yml")}]\nscrape_configs:\n  - { job_name: assay, static_configs: [{ targets: [${targets}] }] }\n`,
  );
  prometheus = spawn(
    values.prometheus,
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/series`,
      `--web.listen-address=127.0.0.1:${PORT}`,
    ],
    { stdio: "ignore" },
  );
  const began = Date.now() / 1000;
  let isOver = false;
  const seen = { answered: 0, refused: 0 };
  const working = listLoads(
    world,
    () => processes[Math.floor(Math.random() * 2)].url,
    ({ status }) => {
      if (status === 200) seen.answered += 1;
      else seen.refused += 1;
    },
  ).map(async (work) => {
    // A busy machine refuses some calls, and the picture shows that too.
    while (!isOver)
      await work().catch(async () => {
        seen.refused += 1;
        await sleep(500);
      });
  });
  await sleep(Number(values.seconds) * 1000);
  isOver = true;
  await Promise.all(working);
  const ended = Date.now() / 1000;

  const dashboard = JSON.parse(readFileSync(join(import.meta.dirname, "grafana/assay.json"), "utf8"));
  const panels = await Promise.all(
    dashboard.panels.map(async (panel) => ({
      ...panel,
      period: [began, ended],
      series: (
        await Promise.all(
          panel.targets.map(async ({ expr, legendFormat }) =>
            (
              await ask(
                `/api/v1/query_range?${new URLSearchParams({ query: expr, start: began, end: ended, step: "2" })}`,
              )
            ).map((one) => ({ ...one, legendFormat })),
          ),
        )
      ).flat(),
    })),
  );
  const empty = panels.filter(({ series }) => series.length === 0).map(({ title }) => title);
  writeFileSync(join(folder, "dashboard.html"), drawDashboard(dashboard.title, panels));
  const out = resolve(values.out);
  const height = 60 + 30 * Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
  execFileSync(
    values.browser,
    [
      "--no-sandbox",
      "--hide-scrollbars",
      `--window-size=1440,${height}`,
      `--screenshot=${out}`,
      `file://${folder}/dashboard.html`,
    ],
    { stdio: "ignore" },
  );
  process.stdout.write(
    `${seen.answered} paid calls answered, ${seen.refused} refused; ${panels.length - empty.length} of ${panels.length} panels have series: ${out}\n`,
  );
  if (empty.length > 0) process.stdout.write(`without series in this load: ${empty.join(", ")}\n`);
} finally {
  if (prometheus) {
    prometheus.kill();
    await once(prometheus, "close").catch(() => undefined);
  }
  await world.close();
  rmSync(folder, { recursive: true, force: true });
}
