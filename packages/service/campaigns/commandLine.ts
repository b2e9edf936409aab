import { parseArgs } from "node:util";
import { closeAllWorlds } from "./campaignWorld.js";

/** What every campaign reports: figures, and what should not have happened. */
export interface CampaignSummary {
  readonly campaign: string;
  readonly seed: number;
  /** One sentence each. Empty when every guarantee held. */
  readonly violations: readonly string[];
}

export interface CampaignOptions {
  readonly seed: number;
  readonly onProgress?: (line: string) => void;
}

/** A number given on the command line, or the campaign's own. */
export type ReadNumber = (flag: string, otherwise: number) => number;

/**
 * Runs a campaign as a command: progress on standard error, one JSON summary on standard output,
 * exit code 1 when a guarantee did not hold.
 */
export async function runFromCommandLine(
  flags: readonly string[],
  run: (
    options: CampaignOptions,
    read: ReadNumber,
    isSet: (flag: string) => boolean,
  ) => Promise<CampaignSummary>,
): Promise<void> {
  const values = readFlags(["seed", ...flags]);
  if (values === undefined) return;
  const read: ReadNumber = (flag, otherwise) => {
    const given = values[flag];
    if (given === undefined) return otherwise;
    const number = Number(given);
    if (!Number.isSafeInteger(number) || number < 0)
      throw new RangeError(`--${flag} must be a whole number, not ${String(given)}`);
    return number;
  };
  const seed = read("seed", Date.now() % 2 ** 32);
  const tell = (line: string) => process.stderr.write(`${line}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      tell(`${signal}: the campaign is given up`);
      void closeAllWorlds().finally(() => process.exit(130));
    });
  tell(`seed ${seed}`);
  try {
    const summary = await run({ seed, onProgress: tell }, read, (flag) => values[flag] === true);
    process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`);
    process.exitCode = summary.violations.length > 0 ? 1 : 0;
  } catch (error) {
    tell(`seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`);
    await closeAllWorlds();
    process.exitCode = 1;
  }
}

/** The flags of the command line; undefined once the usage was printed, for `--help` or a wrong flag. */
function readFlags(flags: readonly string[]): Record<string, unknown> | undefined {
  const usage = `Options: ${flags.map((flag) => (flag.startsWith("--") ? flag : `--${flag} N`)).join(", ")}.\n`;
  const options = flags.map((flag) =>
    flag.startsWith("--") ? [flag.slice(2), { type: "boolean" }] : [flag, { type: "string" }],
  );
  try {
    const values: Record<string, unknown> = parseArgs({
      options: { ...Object.fromEntries(options), help: { type: "boolean", short: "h" } },
    }).values;
    if (values.help !== true) return values;
    process.stdout.write(usage);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}`);
    process.exitCode = 2;
  }
  return undefined;
}

/** Counts how often each thing was seen. */
export class Tally {
  readonly #counts = new Map<string, number>();
  add(what: string, times = 1): void {
    this.#counts.set(what, this.of(what) + times);
  }
  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }
  total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }
  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => a.localeCompare(b)));
  }
}
