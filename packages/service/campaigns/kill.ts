import { runFromCommandLine } from "./commandLine.js";
import { runKill } from "./runKill.js";

await runFromCommandLine(["rounds"], (options, read) =>
  runKill({ ...options, kills: read("rounds", 300), withExpiry: true }),
);
