import { type Command, CommanderError } from "commander";
import { createProgram } from "./createProgram.js";
import { failureCodes } from "./exitCodes.js";
import { hideKeys } from "./hideKeys.js";
import type { Terminal } from "./terminal.js";
import { jsonLine, page, printable } from "./text.js";

/** Runs the `assay` command with these arguments; returns the exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let command: Command | undefined;
  const program = createProgram(terminal, args).hook("preAction", (_program, chosen) => {
    command = chosen;
  });
  // Not from the parsed options: a wrong command line was not parsed.
  const isJson = args.includes("--json");
  try {
    await program.parseAsync(args, { from: "user" }).catch(passHelp);
    await terminal.flush();
    return terminal.exitCode;
  } catch (error) {
    // The command line is wrong, and commander has printed why.
    if (error instanceof CommanderError) {
      const detail = hideKeys(error.message.replace(/^error: /, ""));
      if (isJson)
        terminal.print(jsonLine({ error: { code: "usage", detail, exitCode: failureCodes.usage } }));
      return failureCodes.usage;
    }
    const { describeFailure } = await import("./describeFailure.js");
    const { lines, document } = await describeFailure(error, program.opts<{ url: string }>().url, command);
    terminal.warn(`assay: ${page(lines.map(printable))}`);
    if (isJson) terminal.print(jsonLine({ error: document }));
    return document.exitCode;
  }
}

/** Commander throws also after it has printed --help or --version. */
function passHelp(error: unknown): void {
  if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
}
