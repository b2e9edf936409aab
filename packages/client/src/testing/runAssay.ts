import { runProgram } from "../cli/runProgram.js";
import type { Terminal } from "../cli/terminal.js";

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the `assay` command in this process, which saves the second that a new process takes to start. */
export async function runAssay(
  args: readonly string[],
  env: Record<string, string> = {},
  input = "",
  signal: AbortSignal = new AbortController().signal,
): Promise<Run> {
  let out = "";
  let err = "";
  const terminal: Terminal = {
    // No test reads the configuration of the person who runs it.
    env: { XDG_CONFIG_HOME: "/nonexistent", ...env },
    paint: (_, text) => text,
    print: (text) => {
      out += text;
    },
    flush: async () => {},
    readInput: async () => input,
    confirm: async () => undefined,
    warn: (text) => {
      err += text;
    },
    abortOnInterrupt: () => signal,
    whileWaiting: (_, work) => work(),
    exitCode: 0,
  };
  const code = await runProgram(args, terminal);
  return { code, out, err };
}

/** Adds default options that `args` does not have: none may be given twice. */
export function withDefaults(
  args: readonly string[],
  defaults: Readonly<Record<`--${string}`, string>>,
): string[] {
  return [...Object.entries(defaults).flatMap((pair) => (args.includes(pair[0]) ? [] : pair)), ...args];
}
