// npm run campaigns -- [--quick] [--only a,b] [--hours n] [--seed s] [--fresh] [--report]
//   --quick   the short form of each
//   --only    these campaigns, separated by commas
//   --hours   no campaign begins after this time (default 4)
//   --seed    of every campaign (default 8453)
//   --fresh   also what is finished for this commit
//   --report  runs nothing and writes docs/reliability.md again
// Each result is kept in reliability/results.jsonl at once, with its commit, so that a run that is cut off goes on where it was. A campaign that
// fails, or that ends without a summary, is reported and the next one begins. The exit code is 1 unless all hold and each control reports.
import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { answerHelp } from "../answerHelp.mjs";
import { campaigns } from "./campaigns.mjs";
import { keep, readResults } from "./results.mjs";
import { root, runCampaign } from "./runCommand.mjs";
import { writeReport } from "./writeReport.mjs";

answerHelp(import.meta.url);

/** How long a short form takes at most, for the time that is left. */
const QUICK_MINUTES = 3;

const git = (...flags) => execFileSync("git", flags, { cwd: root, encoding: "utf8" }).trim();

function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      hours: { type: "string", default: "4" },
      seed: { type: "string", default: "8453" },
      fresh: { type: "boolean", default: false },
      report: { type: "boolean", default: false },
    },
  });
  const wanted = values.only?.split(",");
  const unknown = wanted?.find((id) => !campaigns.some((one) => one.id === id));
  if (unknown !== undefined)
    throw new Error(`There is no campaign ${unknown}: ${campaigns.map(({ id }) => id).join(", ")}.`);
  const [hours, seed] = [values.hours, values.seed].map(Number);
  if (!(hours > 0) || !Number.isSafeInteger(seed)) throw new Error("--hours and --seed take numbers.");
  return {
    ...values,
    hours,
    seed,
    chosen: campaigns.filter(({ id }) => wanted === undefined || wanted.includes(id)),
  };
}

/** What was run: the commit, and whether files have changed since. Without what a campaign writes itself. */
function describeSources() {
  const changed = git(
    "status",
    "--porcelain",
    "--",
    ".",
    ":!docs/reliability.md",
    ":!reliability/results.jsonl",
    ":!fuzz/corpus",
  );
  return { commit: git("rev-parse", "HEAD"), isChanged: changed !== "" };
}

async function main() {
  const options = readOptions();
  if (!options.report) await runAll(options);
  writeReport(readResults());
  const held = options.chosen.every(({ id }) => {
    const {
      failure,
      violations = [],
      control,
    } = readResults().find((one) => one.id === id) ?? { failure: "not run" };
    return failure === undefined && violations.length === 0 && control?.isBlind !== true;
  });
  return held || options.report ? 0 : 1;
}

async function runAll({ chosen, quick, hours, seed, fresh }) {
  process.stderr.write("building\n");
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const sources = describeSources();
  const endMs = Date.now() + hours * 3_600_000;
  const isFinished = ({ id }) =>
    !fresh &&
    !sources.isChanged &&
    readResults().some(
      (one) =>
        one.id === id &&
        one.commit === sources.commit &&
        !one.isChanged &&
        one.isQuick === quick &&
        one.failure === undefined,
    );
  const minutesOf = ({ run }) => (quick ? QUICK_MINUTES : run.minutes);
  const open = chosen.filter((one) => !isFinished(one));
  process.stderr.write(
    `${chosen.length - open.length} of ${chosen.length} are finished for ${sources.commit.slice(0, 8)}\n`,
  );
  for (const [at, campaign] of open.entries()) {
    const left = open.slice(at).reduce((sum, one) => sum + minutesOf(one), 0);
    if (Date.now() > endMs) {
      process.stderr.write(
        `the time is over; left: ${open
          .slice(at)
          .map(({ id }) => id)
          .join(", ")}\n`,
      );
      return;
    }
    process.stderr.write(`${at + 1}/${open.length} ${campaign.id}: about ${left} minutes are left in all\n`);
    const result = await runOne(campaign, { isQuick: quick, seed, limitMs: endMs - Date.now() });
    keep({ id: campaign.id, ...sources, isQuick: quick, seed, ...result });
    process.stderr.write(
      `${campaign.id}: ${result.failure ?? `${result.violations.length} violations`}; ${describeControl(result.control)}\n`,
    );
    writeReport(readResults());
  }
}

const describeControl = ({ failure, isBlind, statement } = {}) =>
  statement
    ? "no control"
    : failure
      ? `control: ${failure}`
      : isBlind
        ? "the control was not noticed"
        : "the control was noticed";

async function runOne(campaign, options) {
  const startedAt = new Date();
  const onLine = (line) => process.stderr.write(`    ${line.slice(0, 160)}\n`);
  const loadBefore = loadavg()[0];
  const outcome = await attempt(() => runCampaign(campaign, { ...options, isControl: false, onLine }));
  const minutes = (Date.now() - startedAt.getTime()) / 60_000;
  const control = campaign.control.statement
    ? { statement: campaign.control.statement }
    : judgeControl(
        campaign.control,
        await attempt(() => runCampaign(campaign, { ...options, isControl: true, onLine })),
      );
  return {
    date: startedAt.toISOString(),
    node: process.version,
    load: [loadBefore, loadavg()[0]].map((value) => Number(value.toFixed(1))),
    minutes: Number(minutes.toFixed(1)),
    ...(outcome.failure === undefined
      ? { violations: outcome.summary.violations, figures: campaign.figures(outcome.summary) }
      : outcome),
    control,
  };
}

const judgeControl = ({ removed }, { failure, summary }) =>
  failure === undefined
    ? {
        removed,
        isBlind: summary.violations.length === 0,
        reported: summary.violations.slice(0, 3),
        inAll: summary.violations.length,
      }
    : { removed, failure };

async function attempt(work) {
  try {
    return { summary: await work() };
  } catch (error) {
    return { failure: error.message };
  }
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error.message);
    process.exit(2);
  },
);
