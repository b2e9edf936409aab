import { CommanderError } from "commander";
import { createProgram } from "./createProgram.js";
import { describeFailure } from "./describeFailure.js";
import type { Terminal } from "./terminal.js";
import { page, printable } from "./text.js";

/** Runs the `assay` command with these arguments; the code to exit with. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal);
  try {
    await program.parseAsync(args, { from: "user" });
    return terminal.exitCode;
  } catch (error) {
    // Help was asked for, or the command line is wrong: commander has said so.
    if (error instanceof CommanderError) return error.exitCode;
    const lines = await describeFailure(error, program.opts<{ url: string }>().url);
    terminal.warn(`assay: ${page(lines.map(printable))}`);
    return 1;
  }
}
