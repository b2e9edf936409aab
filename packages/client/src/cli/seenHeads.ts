import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { readSeenHead, type SeenHead } from "../checkLogHead.js";

type Env = Readonly<Record<string, string | undefined>>;

/** The file that keeps the log heads of services between runs. */
const fileOf = (env: Env) =>
  join(env.XDG_STATE_HOME || join(env.HOME || homedir(), ".local", "state"), "assay", "log-heads.json");

/** The head of this service's log that was seen last. A file that cannot be read counts as empty. */
export async function findSeenHead(env: Env, url: string): Promise<SeenHead | undefined> {
  return readSeenHead((await readHeads(env))[url]);
}

export async function keepSeenHead(env: Env, url: string, head: SeenHead): Promise<void> {
  const file = fileOf(env);
  await mkdir(dirname(file), { recursive: true });
  const text = `${JSON.stringify({ ...(await readHeads(env)), [url]: head }, null, 2)}\n`;
  // Renamed into place: half a file would count as empty, and a rewritten log would pass as one seen for the first time.
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await writeFile(unfinished, text, { flush: true });
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function readHeads(env: Env): Promise<Record<string, SeenHead | undefined>> {
  try {
    const value: unknown = JSON.parse(await readFile(fileOf(env), "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, SeenHead>) : {};
  } catch {
    return {};
  }
}
