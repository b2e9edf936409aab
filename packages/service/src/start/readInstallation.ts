import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./configError.js";
import { secretSettings } from "./readSecretFiles.js";

const LINE = /^([A-Z][A-Z0-9_]*)=(.*)$/;

/** The settings of a folder that `assay-admin init` has written, as the files of `deploy` hand them to the service. */
export function readInstallation(folder: string): Readonly<Record<string, string>> {
  const path = join(folder, "assay.env");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(
      `${path} cannot be read: ${(error as NodeJS.ErrnoException).code}. Name the folder that assay-admin init has made.`,
    );
  }
  const settings: Record<string, string> = {};
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const [, name, value] = LINE.exec(line.trim()) ?? [];
    if (name === undefined || value === undefined)
      throw new ConfigError(`${path}: line ${i + 1} must be NAME=value, without quotes or export.`);
    settings[name] = value;
  }
  for (const name of secretSettings) {
    const file = join(folder, "secrets", name.toLowerCase());
    const isGiven = settings[name] !== undefined || settings[`${name}_FILE`] !== undefined;
    if (!isGiven && existsSync(file)) settings[`${name}_FILE`] = file;
  }
  return settings;
}
