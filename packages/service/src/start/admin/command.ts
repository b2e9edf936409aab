import type { ParseArgsConfig } from "node:util";
import { createDatabase, type Database } from "../../store/database.js";
import type { Config } from "../config.js";
import { ConfigError } from "../configError.js";

export interface Output {
  write(text: string): unknown;
}

export interface Given {
  /** What stands after the command's name. */
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly config: Config;
}

/** What a command found or did: for people, and the same as one JSON value. */
export interface Result {
  readonly text: readonly string[];
  readonly json: unknown;
  /** True where something is wrong that somebody must see to. */
  readonly isFault?: boolean;
}

export interface Command {
  /** As it is typed. */
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  /** One line. */
  readonly summary: string;
  /** What it is for, what it changes, and what to expect. */
  readonly help: string;
  readonly examples: readonly string[];
  readonly options?: ParseArgsConfig["options"];
  run(given: Given): Promise<Result>;
}

export const getDatabaseUrl = ({ databaseUrl }: Config): string => {
  if (databaseUrl !== undefined) return databaseUrl;
  throw new ConfigError(
    "DATABASE_URL must be set: the embedded database belongs to the service that runs it.",
  );
};

export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({ connectionString: getDatabaseUrl(config), maxConnections: 4 });
  try {
    const [row] = await database.query<{ exists: boolean }>({
      text: "SELECT to_regclass('recovered_payments') IS NOT NULL AS exists",
    });
    if (!row?.exists)
      throw new ConfigError(
        "The database of DATABASE_URL is empty or of an older version: start this version of the service first.",
      );
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Columns under their heads, as wide as their widest value. */
export function formatTable(heads: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const lines = [heads, ...rows].map((row) => row.map(String));
  const widths = heads.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((value, i) => value.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** One argument, or none; anything more is a mistake that must not pass in silence. */
export function takeArgument({ positionals }: Given, what: string): string {
  const [argument] = positionals;
  if (argument === undefined || positionals.length > 1)
    throw new ConfigError(`Name ${what}, and nothing else.`);
  return argument;
}

export function refuseArguments({ positionals }: Given): void {
  if (positionals.length > 0)
    throw new ConfigError(`"${positionals[0]}" is not understood here; --help shows how.`);
}

/** A whole number of days, weeks back from now. */
export function readDays(value: string | boolean | undefined, fallback: number): number {
  const days = value === undefined ? fallback : Number(value);
  if (!Number.isInteger(days) || days < 1 || days > 3650)
    throw new ConfigError("--days must be a whole number from 1 to 3650.");
  return days;
}
