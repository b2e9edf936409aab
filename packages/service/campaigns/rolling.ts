import { runFromCommandLine } from "./commandLine.js";
import { runRolling } from "./runRolling.js";

await runFromCommandLine(["rounds", "payers", "seconds"], (options, read) =>
  runRolling({
    ...options,
    rounds: read("rounds", 3),
    payers: read("payers", 4),
    seconds: read("seconds", 10),
  }),
);
