import { runProgram } from "./cli/runProgram.js";
import { openTerminal } from "./cli/terminal.js";

// `assay catalog | head` closes the pipe early, which is not a failure. The terminal's flush reports any other error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
});

process.exitCode = await runProgram(process.argv.slice(2), openTerminal());
