import { runFromCommandLine } from "./commandLine.js";
import { runVoucherKill } from "./runVoucherKill.js";

await runFromCommandLine(["rounds", "--without-answers"], (options, read, isSet) =>
  runVoucherKill({
    ...options,
    kills: read("rounds", 500),
    together: 3,
    withoutAnswers: isSet("without-answers"),
  }),
);
