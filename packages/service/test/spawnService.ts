import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { until } from "@assay/chain/testing/until";
import { packageFolder } from "../src/base/packageFolder.js";
import { isRunning } from "../src/store/processes.js";

const MAIN = fileURLToPath(new URL("dist/bundle/main.js", packageFolder));

export interface SpawnedService {
  readonly child: ChildProcess;
  output(): string;
  errors(): string;
  /** The address it printed. Throws with what it said when it ended instead. */
  ready(withinMs?: number): Promise<string>;
  /** Asks it to stop, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** The code of a process that ends by itself. */
  ended(): Promise<number | null>;
}

/** The built service as an operator runs it: a process of its own, with nothing but these settings. */
export function spawnService(env: Record<string, string>): SpawnedService {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const exited = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    output: () => output,
    errors: () => errors,
    ready: (withinMs = 60_000) =>
      until(async () => {
        if (child.exitCode !== null) throw new Error(`the service ended: ${errors}`);
        return output.includes("signs as") ? /service +(http\S+)/.exec(output)?.[1] : undefined;
      }, withinMs),
    stop(signal = "SIGINT") {
      if (child.exitCode === null) child.kill(signal);
      return exited;
    },
    ended: () => exited,
  };
}

/** Running processes whose command line names this directory. Linux only. */
export async function listProcessesOf(directory: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return pids.filter((pid, at) => commands[at]?.includes(directory) && isRunning(pid));
}
