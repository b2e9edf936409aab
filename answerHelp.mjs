import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The comment at the head of the script at `url`, which says what its options do. */
export function readHelp(url) {
  const lines = readFileSync(fileURLToPath(url), "utf8").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ""))
    .join("\n");
}

/** `--help` prints that comment and ends the process. */
export function answerHelp(url) {
  if (!process.argv.includes("--help")) return;
  console.log(readHelp(url));
  process.exit(0);
}
