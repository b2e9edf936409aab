import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { ConfigError } from "./configError.js";

/** The JSON file that a setting names, parsed by `parse`. An error in it stops start-up with one sentence. */
export async function readOperatorFile<T>(
  setting: string,
  path: string,
  parse: (value: unknown) => T,
): Promise<T> {
  if (!existsSync(path)) throw new ConfigError(`${setting} ${path} does not exist.`);
  try {
    return parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    throw new ConfigError(`${setting} ${path}: ${error instanceof Error ? error.message : error}.`);
  }
}
