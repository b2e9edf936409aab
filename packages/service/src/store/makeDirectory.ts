import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and the folders above it. One level at a time, because Node's recursive form
 * never returns where a file system answers "no such entry" to its own folders, as /proc does.
 */
export async function makeDirectory(path: string, mode?: number): Promise<void> {
  const absolute = resolve(path);
  if (existsSync(absolute)) {
    if (statSync(absolute).isDirectory()) return;
    throw new Error(`${absolute} is not a folder`);
  }
  await makeDirectory(dirname(absolute));
  await mkdir(absolute, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}
