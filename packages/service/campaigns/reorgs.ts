import { runFromCommandLine } from "./commandLine.js";
import { runReorgs } from "./runReorgs.js";

await runFromCommandLine(["rounds", "--unconfirmed"], (options, read, isSet) =>
  runReorgs({ ...options, rounds: read("rounds", 480), unconfirmed: isSet("unconfirmed") }),
);
