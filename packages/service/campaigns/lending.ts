import { runFromCommandLine } from "./commandLine.js";
import { runLending } from "./runLending.js";

await runFromCommandLine(["rounds"], (options, read) =>
  runLending({ ...options, rounds: read("rounds", 1_000) }),
);
