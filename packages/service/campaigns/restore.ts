import { runFromCommandLine } from "./commandLine.js";
import { runRestore } from "./runRestore.js";

await runFromCommandLine(["payers", "seconds", "--without-protection"], (options, read, isSet) =>
  runRestore({
    ...options,
    payers: read("payers", 6),
    seconds: read("seconds", 15),
    withoutProtection: isSet("without-protection"),
  }),
);
