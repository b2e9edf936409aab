import { runProgram } from "./cli/runProgram.js";
import { openTerminal } from "./cli/terminal.js";

// `assay catalog | head` closes the pipe early; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await runProgram(process.argv.slice(2), openTerminal());
