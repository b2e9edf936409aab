import { runFromCommandLine } from "./commandLine.js";
import { runPages } from "./runPages.js";

await runFromCommandLine(["rounds", "megabytes"], (options, read) =>
  runPages({ ...options, rounds: read("rounds", 3), megabytes: read("megabytes", 256) }),
);
