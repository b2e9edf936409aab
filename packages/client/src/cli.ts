import { createProgram } from "./cli/createProgram.js";
import { describeFailure } from "./cli/describeFailure.js";

// `assay catalog | head` closes the pipe early; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const program = createProgram();
try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`assay: ${await describeFailure(error, program.opts<{ url: string }>().url)}\n`);
  process.exitCode = 1;
}
