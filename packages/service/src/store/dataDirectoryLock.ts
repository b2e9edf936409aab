import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { link, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRunning, startOf } from "./processes.js";

export class DataDirectoryInUseError extends Error {
  override readonly name = "DataDirectoryInUseError";
  constructor(directory: string, pid: number) {
    super(
      `DATA_DIR ${directory} is in use by another service (process ${pid}); stop it or choose another DATA_DIR.`,
    );
  }
}

/** The file appears with its content or not at all: a reader never takes a lock being written for a dead one. */
async function createWhole(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  await writeFile(draft, content);
  try {
    await link(draft, path);
  } finally {
    await rm(draft);
  }
}

/** Makes one process the owner of an embedded data directory. Returns the release. */
export async function lockDataDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, "service.lock");
  const mine = `${process.pid} ${startOf(process.pid)}`;
  for (let attempt = 0; ; attempt++) {
    try {
      await createWhole(path, mine);
      return async () => {
        if (existsSync(path) && readFileSync(path, "utf8") === mine) await rm(path);
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt > 5) throw error;
    }
    const [pid = "", start = ""] = existsSync(path) ? readFileSync(path, "utf8").split(" ") : [];
    if (pid && isRunning(Number(pid)) && startOf(Number(pid)) === start)
      throw new DataDirectoryInUseError(directory, Number(pid));
    await rm(path, { force: true });
  }
}
