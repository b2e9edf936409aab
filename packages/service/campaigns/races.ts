import { runFromCommandLine } from "./commandLine.js";
import { runRaces } from "./runRaces.js";

await runFromCommandLine(["rounds", "racers", "--without-protection"], (options, read, isSet) =>
  runRaces({
    ...options,
    rounds: read("rounds", 200),
    racers: read("racers", 40),
    withoutProtection: isSet("without-protection"),
  }),
);
