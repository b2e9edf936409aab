import { runFromCommandLine } from "./commandLine.js";
import { runActions } from "./runActions.js";

await runFromCommandLine(["rounds", "racers", "lanes", "--without-protection"], (options, read, isSet) =>
  runActions({
    ...options,
    rounds: read("rounds", 10_000),
    racers: read("racers", 8),
    lanes: read("lanes", 4),
    withoutProtection: isSet("without-protection"),
  }),
);
