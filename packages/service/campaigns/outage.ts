import { runFromCommandLine } from "./commandLine.js";
import { runOutage } from "./runOutage.js";

await runFromCommandLine(["seconds", "payers", "--crash"], (options, read, isSet) =>
  runOutage({
    ...options,
    seconds: read("seconds", 60),
    payers: read("payers", 32),
    awayMs: 2_000,
    isCrash: isSet("crash"),
  }),
);
