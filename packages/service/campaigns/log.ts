import { runFromCommandLine } from "./commandLine.js";
import { runLog } from "./runLog.js";

await runFromCommandLine(["leaves", "proofs", "forgeries"], (options, read) =>
  runLog({
    ...options,
    leaves: read("leaves", 1_000_000),
    proofs: read("proofs", 1_000),
    forgeries: read("forgeries", 10_000),
  }),
);
