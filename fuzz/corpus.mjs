import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const folder = fileURLToPath(new URL(".", import.meta.url));
export const corpusPath = (target) => `${folder}corpus/${target}.txt`;
/** What a run has found, until somebody has read it. */
export const foundPath = (target) => `${folder}found/${target}.txt`;

/** Inputs of a file: one on each line in base64, after `# ` what it once found. */
export function readInputs(path) {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [text, ...note] = line.split(" # ");
      return { bytes: Buffer.from(text, "base64"), note: note.join(" # ") };
    });
}

export function writeInputs(path, inputs) {
  mkdirSync(dirname(path), { recursive: true });
  const lines = inputs.map(
    ({ bytes, note }) => `${Buffer.from(bytes).toString("base64")}${note ? ` # ${note}` : ""}`,
  );
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
}
