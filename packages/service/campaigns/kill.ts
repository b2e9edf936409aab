import { runFromCommandLine } from "./commandLine.js";
import { runKill } from "./runKill.js";

await runFromCommandLine(["rounds", "--without-answers"], (options, read, isSet) =>
  runKill({
    ...options,
    kills: read("rounds", 300),
    withExpiry: true,
    withoutAnswers: isSet("without-answers"),
  }),
);
