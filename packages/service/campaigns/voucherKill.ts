import { runFromCommandLine } from "./commandLine.js";
import { runVoucherKill } from "./runVoucherKill.js";

await runFromCommandLine(["rounds"], (options, read) =>
  runVoucherKill({ ...options, kills: read("rounds", 500), together: 3 }),
);
