import { runFromCommandLine } from "./commandLine.js";
import { runClaims } from "./runClaims.js";

await runFromCommandLine(["rounds", "racers", "kills", "--without-protection"], (options, read, isSet) =>
  runClaims({
    ...options,
    rounds: read("rounds", 20),
    racers: read("racers", 200),
    kills: read("kills", 20),
    withoutProtection: isSet("without-protection"),
  }),
);
