// npm run bench: Assay beside the official x402 middleware, selling the same guard on the same chain.
//   --quick         one short run of everything, to check that it works; its figures are rough
//   --only=a,b      only these sections: startup, challenges, paidCalls, chainRequests, parallelPayers, slowBlocks, vouchers
//   --before=dir    beside the service of another checkout, built, instead of the peers: what has become slower
//   --profile       writes a CPU profile of each Assay process to bench/results
// Progress goes to stderr, the table to stdout, everything measured to bench/results/<date>.json.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { answerHelp } from "../answerHelp.mjs";
import { calibrate } from "./calibrate.mjs";
import { createProgress } from "./createProgress.mjs";
import { listChanges, listFigures } from "./listFigures.mjs";
import { measureChainRequests } from "./measureChainRequests.mjs";
import { measureChallenges } from "./measureChallenges.mjs";
import { measurePaidCalls } from "./measurePaidCalls.mjs";
import { measureParallelPayers } from "./measureParallelPayers.mjs";
import { measureSlowBlocks } from "./measureSlowBlocks.mjs";
import { measureStartup } from "./measureStartup.mjs";
import { measureVouchers } from "./measureVouchers.mjs";
import { renderChanges, renderTable } from "./renderTable.mjs";
import { stopProcesses, stopProcessesForGood } from "./startProcess.mjs";
import { neededScripts, subjectNames } from "./subjects.mjs";

answerHelp(import.meta.url);

const timeLimitMs = 15 * 60_000;
const sections = {
  startup: { title: "start-up", measure: measureStartup },
  challenges: { title: "unpaid 402s", measure: measureChallenges },
  paidCalls: { title: "one payer", measure: measurePaidCalls },
  chainRequests: { title: "chain requests", measure: measureChainRequests },
  parallelPayers: { title: "32 payers", measure: measureParallelPayers },
  slowBlocks: { title: "2 s blocks", measure: measureSlowBlocks },
  vouchers: { title: "vouchers", measure: measureVouchers },
};
const resultsDirectory = fileURLToPath(new URL("results", import.meta.url));

function readOptions() {
  const { values } = parseArgs({
    options: {
      ...{ quick: { type: "boolean" }, only: { type: "string" }, profile: { type: "boolean" } },
      before: { type: "string" },
    },
  });
  // An earlier state may know no vouchers.
  const all = Object.keys(sections).filter((name) => !(values.before && name === "vouchers"));
  const chosen = values.only?.split(",") ?? all;
  const unknown = chosen.find((name) => !(name in sections));
  if (unknown)
    throw new Error(`There is no section ${unknown}; there are ${Object.keys(sections).join(", ")}.`);
  const missing = neededScripts.find((script) => !existsSync(script));
  if (missing) throw new Error(`${missing} is not built; run npm run build there first.`);
  return { chosen, isQuick: values.quick === true, isProfiling: values.profile === true };
}

/** Measures section by section. A section that fails is recorded, and the others continue; the time limit ends them all. */
async function measureAll({ chosen, isQuick, isProfiling }, startedAt) {
  const progress = createProgress(chosen.length);
  const results = {};
  const failures = {};
  for (const [index, name] of chosen.entries()) {
    const { title, measure } = sections[name];
    const timeLeftMs = startedAt + timeLimitMs - performance.now();
    let timer;
    const limit = new Promise((_, fail) => {
      timer = setTimeout(() => fail(new Error("The time limit was reached.")), Math.max(0, timeLeftMs));
    });
    const measuring = measure({
      isQuick,
      runs: isQuick ? 1 : 3,
      progress: progress.inSection(index + 1, title),
      nodeArgs: isProfiling
        ? ["--cpu-prof", `--cpu-prof-dir=${resultsDirectory}`, `--cpu-prof-name=${name}.cpuprofile`]
        : [],
    });
    try {
      results[name] = await Promise.race([measuring, limit]);
    } catch (error) {
      failures[name] = error.stack;
      await stopProcesses();
      // The abandoned work fails because its processes are gone, which is expected.
      await measuring.catch(() => {});
    } finally {
      clearTimeout(timer);
    }
  }
  progress.end();
  return { results, failures };
}

async function main() {
  const options = readOptions();
  const startedAt = performance.now();
  const calibrationMs = [calibrate()];
  const loadBefore = loadavg();
  const { results, failures } = await measureAll(options, startedAt);
  calibrationMs.push(calibrate());
  const isComparing = subjectNames.includes("before");
  const figures = isComparing ? listChanges(results) : listFigures(results);
  const { devDependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
  const report = {
    at: new Date().toISOString(),
    isQuick: options.isQuick,
    seconds: (performance.now() - startedAt) / 1000,
    node: process.version,
    cpus: cpus().length,
    loadBefore,
    calibrationMs,
    versions: devDependencies,
    figures,
    results,
    failures,
  };
  mkdirSync(resultsDirectory, { recursive: true });
  const file = join(resultsDirectory, `${report.at.replaceAll(":", "-").slice(0, 19)}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);

  console.log(isComparing ? renderChanges(figures) : renderTable(figures));
  console.log(
    `\nMedians of ${options.isQuick ? "one short run" : "3 runs"}, ${report.seconds.toFixed(0)} s in all. ` +
      `Calibration ${calibrationMs.map((ms) => ms.toFixed(0)).join(" → ")} ms (before → after).`,
  );
  console.log(`Everything measured: ${relative(process.cwd(), file)}`);
  for (const [name, stack] of Object.entries(failures)) console.error(`\nSection ${name} failed: ${stack}`);
  return Object.keys(failures).length > 0 ? 1 : 0;
}

let isStopping = false;
async function stopAndExit(code) {
  if (isStopping) return;
  isStopping = true;
  await stopProcessesForGood();
  process.exit(code);
}
process.on("SIGINT", () => stopAndExit(130));
process.on("SIGTERM", () => stopAndExit(143));

main().then(stopAndExit, (error) => {
  if (!isStopping) console.error(error.message);
  return stopAndExit(1);
});
