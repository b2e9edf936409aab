import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./runCommand.mjs";

/** In the repository, so that a clone writes the same page, and adds to it. */
const file = join(root, "reliability/results.jsonl");

/** The newest run of each form of each campaign. */
export function keep(result) {
  const isReplaced = ({ id, isQuick }) => id === result.id && isQuick === result.isQuick;
  const lines = [...readLines().filter((one) => !isReplaced(one)), result];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** The newest result of each campaign first; a full run counts more than a later short one of the same commit. */
export function readResults() {
  const all = readLines();
  const rank = ({ isQuick, commit }) => (all.at(-1)?.commit === commit && !isQuick ? 1 : 0);
  return all.reverse().sort((a, b) => rank(b) - rank(a));
}

const readLines = () =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
