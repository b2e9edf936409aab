import { runFromCommandLine } from "./commandLine.js";
import { runMemory } from "./runMemory.js";

await runFromCommandLine(["rounds", "unpaid", "seconds"], (options, read) =>
  runMemory({
    ...options,
    paidCalls: read("rounds", 20_000),
    unpaidCalls: read("unpaid", 1_000_000),
    unpaidSeconds: read("seconds", 900),
  }),
);
