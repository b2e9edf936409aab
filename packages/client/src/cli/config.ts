import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Hex } from "@assay/protocol";
import { address, amount, fields, httpUrl, one, readSettings, text } from "../settings/readFields.js";
import { describeFileError } from "./describeFileError.js";
import type { Env } from "./stateFolder.js";
import { UsageError } from "./usageError.js";

/** What `assay init` wrote: one service, the key that pays it, and how much it may be paid. */
export interface Config {
  /** The file that it was read from. */
  readonly path: string;
  /** Address of the service. */
  readonly url: string;
  /** The address that the service signs with, as it was at a first visit. */
  readonly signer: Hex;
  /** File with the private key of the paying wallet. */
  readonly keyFile: string;
  /** Policy of `assay proxy`. */
  readonly policyFile: string | undefined;
  /** JSON-RPC address of a node. It may contain an API key. */
  readonly rpc: string | undefined;
  /** No single answer above this is paid. */
  readonly maxPriceUsd: number;
  /** What all commands together may pay in one day (UTC). */
  readonly maxPerDayUsd: number;
  /** Set where calls are paid from a channel: what each deposit is. */
  readonly channel: { readonly depositUsd: number } | undefined;
}

export const DEFAULT_MAX_PRICE_USD = 0.5;
export const DEFAULT_MAX_PER_DAY_USD = 5;

const nodeUrl = one("must be the http(s) or ws(s) address of a node", (value) =>
  typeof value === "string" && /^(https?|wss?):\/\//i.test(value) && URL.canParse(value) ? value : undefined,
);

const shape = fields({
  url: httpUrl,
  signer: address,
  keyFile: text,
  policyFile: text,
  rpc: nodeUrl,
  maxPriceUsd: amount,
  maxPerDayUsd: amount,
  channel: fields({ depositUsd: amount }),
});

/** Where `assay init` writes: config.json, policy.json and key. */
export const configFolder = (env: Env): string =>
  env.ASSAY_CONFIG
    ? dirname(resolve(env.ASSAY_CONFIG))
    : join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), ".config"), "assay");

export const configFile = (env: Env): string =>
  env.ASSAY_CONFIG ? resolve(env.ASSAY_CONFIG) : join(configFolder(env), "config.json");

/** The configuration of this user; undefined where none was written. Throws SettingsError, naming field and rule. */
export async function findConfig(env: Env): Promise<Config | undefined> {
  const path = configFile(env);
  const content = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    // A file that was named and is not there is a mistake; one that nobody wrote is none.
    if (error.code === "ENOENT" && !env.ASSAY_CONFIG) return undefined;
    throw new UsageError(`The configuration ${path} cannot be read: ${describeFileError(error)}.`);
  });
  return content === undefined ? undefined : readConfig(path, content);
}

/** Files that it names are found from its own folder. */
function readConfig(path: string, content: string): Config {
  const found = readSettings(path, content, (value, field, faults) => {
    const read = shape(value, field, faults);
    for (const name of ["url", "signer", "keyFile"] as const)
      if (read && !(name in read)) faults.push({ field: name, rule: "is required" });
    return read;
  });
  const beside = (file: string) => resolve(dirname(path), file);
  const { maxPriceUsd = DEFAULT_MAX_PRICE_USD, maxPerDayUsd = DEFAULT_MAX_PER_DAY_USD } = found;
  return {
    path,
    url: found.url as string,
    signer: found.signer as Hex,
    keyFile: beside(found.keyFile as string),
    policyFile: found.policyFile === undefined ? undefined : beside(found.policyFile),
    rpc: found.rpc,
    maxPriceUsd,
    maxPerDayUsd,
    channel: found.channel?.depositUsd === undefined ? undefined : { depositUsd: found.channel.depositUsd },
  };
}
