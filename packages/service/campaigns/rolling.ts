import { runFromCommandLine } from "./commandLine.js";
import { runRolling } from "./runRolling.js";

await runFromCommandLine(["rounds", "payers", "seconds", "--caddy", "--kill"], (options, read, isSet) =>
  runRolling({
    ...options,
    rounds: read("rounds", 3),
    payers: read("payers", 4),
    seconds: read("seconds", 10),
    hasCaddy: isSet("caddy"),
    isKilled: isSet("kill"),
  }),
);
