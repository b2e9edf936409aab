import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { campaigns } from "./campaigns.mjs";
import { root } from "./runCommand.mjs";

/** A value as people read it, on one line. */
export function describeValue(value) {
  if (typeof value === "number") return value.toLocaleString("en-US");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${describeValue(inner)}`)
    .join(", ");
}

const cell = (text) => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").slice(0, 420);
/** Hashes and places of files differ in each run and say nothing. */
const shorten = (text) =>
  text
    .replaceAll(/\s+at .*$/gs, "")
    .replaceAll(/(file:\/\/)?(\/[\w.@+-]+){2,}/g, "…")
    .replaceAll(/0x[0-9a-f]{12,}/g, (hex) => `${hex.slice(0, 8)}…`);

function describeControl(control) {
  if (!control) return "–";
  if (control.statement) return control.statement;
  const removed = `Removed: ${control.removed}.`;
  if (control.failure) return `${removed} The control did not end: ${shorten(control.failure)}`;
  if (control.isBlind) return `${removed} **Not noticed.**`;
  return `${removed} Reported ${control.inAll}: ${control.reported.map((one) => `"${shorten(one).slice(0, 160)}"`).join("; ")}`;
}

function describeOutcome({ failure, violations = [] }) {
  if (failure !== undefined) return `**did not end**: ${shorten(failure)}`;
  return violations.length === 0
    ? "holds"
    : `**${violations.length} violations**: ${shorten(violations.slice(0, 3).join("; "))}`;
}

/** The newest results as docs/reliability.md. */
export function describeResults(results) {
  const newest = campaigns.map((campaign) => [campaign, results.find(({ id }) => id === campaign.id)]);
  const run = newest.filter(([, result]) => result !== undefined);
  const lines = [
    "# Reliability",
    "",
    "Written by `npm run campaigns` from what it ran; nobody edits this page. Each campaign tries to break one promise. Its control runs",
    "the same with one protection removed, and has to report that: a campaign that reports nothing then proves nothing.",
    "",
    `${run.length} of ${campaigns.length} campaigns were run. A *short* run is a sample; \`npm run campaigns\` without options runs all of them in full in about`,
    `${Math.round(campaigns.reduce((sum, one) => sum + one.run.minutes, 0) / 60)} hours. Load is the machine's before and after a run on two cores: times measured under a load of more than 2 say little.`,
    "",
    "| campaign | promise | outcome | figures | control |",
    "|---|---|---|---|---|",
    ...newest.map(([{ id, promise }, result]) =>
      result === undefined
        ? `| ${id} | ${promise} | not run | | |`
        : `| ${id} | ${cell(promise)} | ${cell(describeOutcome(result))} | ${cell(describeValue(result.figures ?? {}))} | ${cell(describeControl(result.control))} |`,
    ),
    "",
    "| campaign | form | date | commit | seed | minutes | load | Node |",
    "|---|---|---|---|---|---|---|---|",
    ...run.map(
      ([{ id }, { isQuick, date, commit, isChanged, seed, minutes, load, node }]) =>
        `| ${id} | ${isQuick ? "short" : "full"} | ${date.slice(0, 16).replace("T", " ")} | ${commit.slice(0, 12)}${isChanged ? " and changes" : ""} | ${seed} | ${minutes} | ${load.join(", ")} | ${node} |`,
    ),
    "",
  ];
  return lines.join("\n");
}

export const writeReport = (results) =>
  writeFileSync(join(root, "docs/reliability.md"), describeResults(results));
