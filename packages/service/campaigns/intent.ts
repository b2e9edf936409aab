import { runFromCommandLine } from "./commandLine.js";
import { runIntent } from "./runIntent.js";

await runFromCommandLine(["rounds"], (options, read) =>
  runIntent({ ...options, rounds: read("rounds", 1_000) }),
);
