import { createHash } from "node:crypto";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ChannelOptions } from "../channel/channelContext.js";
import { type ChannelRecord, type ChannelStore, readChannelRecord } from "../channel/channelRecord.js";
import { sleep } from "../sleep.js";
import { type Env, replaceFile, stateFolder } from "./stateFolder.js";
import { UsageError } from "./usageError.js";

/** What `assay channel open` was given. */
export type ChannelTerms = Pick<ChannelOptions, "depositUsd" | "maxPriceUsd">;

/** The channel of one wallet to one service, kept between runs. */
export interface ChannelFile {
  readonly path: string;
  /** Undefined where no channel was opened. */
  read(): Promise<{ readonly terms: ChannelTerms; readonly record?: ChannelRecord | undefined } | undefined>;
  open(terms: ChannelTerms): Promise<void>;
  forget(): Promise<void>;
  readonly store: ChannelStore;
}

/** Another run of the command holds the channel for no longer than a call takes. */
const WAIT_MS = 90_000;
const POLL_MS = 100;
/** A run that ended without its farewell leaves its lock behind. */
const STALE_MS = 300_000;
/** For its owner only: a deposit that was signed and not sent stands in it. */
const MODE = 0o600;

export function openChannelFile(env: Env, url: string, payer: string): ChannelFile {
  const name = createHash("sha256")
    .update(`${url.replace(/\/+$/, "")} ${payer.toLowerCase()}`)
    .digest("hex");
  const path = join(stateFolder(env), "channels", `${name.slice(0, 32)}.json`);
  const write = (content: object) => replaceFile(path, `${JSON.stringify(content, null, 2)}\n`, MODE);
  const file: ChannelFile = {
    path,
    async read() {
      const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      try {
        const { terms, record } = JSON.parse(text);
        if (typeof terms?.depositUsd !== "number") throw new TypeError("it has no terms");
        return { terms, ...(record && { record: readChannelRecord(record) }) };
      } catch {
        throw new UsageError(`${path} holds no record of a channel. Move it away to open another one.`);
      }
    },
    open: async (terms) => write({ ...(await file.read()), terms }),
    forget: () => rm(path, { force: true }),
    store: {
      exclusively: (work) => whileLocked(`${path}.lock`, work),
      read: async () => (await file.read())?.record,
      async write(record) {
        const kept = await file.read();
        if (record) await write({ terms: kept?.terms ?? { depositUsd: 0 }, record });
        else await file.forget();
      },
    },
  };
  return file;
}

async function whileLocked<T>(lock: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  for (const giveUpAtMs = Date.now() + WAIT_MS; !(await take(lock)); await sleep(POLL_MS, undefined))
    if (Date.now() > giveUpAtMs)
      throw new UsageError(`Another run of assay uses this channel. If none does, delete ${lock}.`);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, `${process.pid}\n`, { flag: "wx", mode: MODE });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) await rm(lock, { force: true });
    return false;
  }
}
