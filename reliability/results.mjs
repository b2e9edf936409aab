import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./runCommand.mjs";

const folder = join(root, "reliability/results");
const file = join(folder, "results.jsonl");

export function keep(result) {
  mkdirSync(folder, { recursive: true });
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}

/** The newest result of each campaign first; a full run counts more than a later short one of the same commit. */
export function readResults() {
  if (!existsSync(file)) return [];
  const all = readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const rank = ({ isQuick, commit }) => (all.at(-1)?.commit === commit && !isQuick ? 1 : 0);
  return all.reverse().sort((a, b) => rank(b) - rank(a));
}
