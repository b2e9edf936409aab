import { runProgram } from "./cli/runProgram.js";
import { openTerminal } from "./cli/terminal.js";

// `assay catalog | head` closes the pipe early; that is no failure. Any other is told by the terminal's flush.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
});

process.exitCode = await runProgram(process.argv.slice(2), openTerminal());
