import { runFromCommandLine } from "./commandLine.js";
import { runKill } from "./runKill.js";

await runFromCommandLine(["rounds", "--without-bytes"], (options, read, isSet) =>
  runKill({
    ...options,
    kills: read("rounds", 300),
    withExpiry: true,
    withoutBytes: isSet("without-bytes"),
  }),
);
