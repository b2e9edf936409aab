import { existsSync, readFileSync } from "node:fs";
import { open, rm } from "node:fs/promises";
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

/** Makes one process the owner of an embedded data directory. Returns the release. */
export async function lockDataDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, "service.lock");
  const mine = `${process.pid} ${startOf(process.pid)}`;
  for (let attempt = 0; ; attempt++) {
    try {
      const file = await open(path, "wx");
      await file.writeFile(mine);
      await file.close();
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
