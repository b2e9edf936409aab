import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readSeenHead, type SeenHead } from "../checkLogHead.js";
import { type Env, replaceFile, stateFolder } from "./stateFolder.js";

/** The file that keeps the log heads of services between runs. */
const fileOf = (env: Env) => join(stateFolder(env), "log-heads.json");

/** The head of this service's log that was seen last. A file that cannot be read counts as empty. */
export async function findSeenHead(env: Env, url: string): Promise<SeenHead | undefined> {
  return readSeenHead((await readHeads(env))[url]);
}

export async function keepSeenHead(env: Env, url: string, head: SeenHead): Promise<void> {
  // Half a file would count as empty, and a rewritten log would pass as one seen for the first time.
  const text = `${JSON.stringify({ ...(await readHeads(env)), [url]: head }, null, 2)}\n`;
  await replaceFile(fileOf(env), text);
}

async function readHeads(env: Env): Promise<Record<string, SeenHead | undefined>> {
  try {
    const value: unknown = JSON.parse(await readFile(fileOf(env), "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, SeenHead>) : {};
  } catch {
    return {};
  }
}
