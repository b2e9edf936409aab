import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

/** Where the command keeps what it must know at its next run. */
export const stateFolder = (env: Env) =>
  join(env.XDG_STATE_HOME || join(env.HOME || homedir(), ".local", "state"), "assay");

/** Renamed into place: a reader finds the old file or the new one, never half of it. */
export async function replaceFile(file: string, text: string, mode = 0o666): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: mode === 0o600 ? 0o700 : 0o777 });
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await writeFile(unfinished, text, { flush: true, mode });
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}
