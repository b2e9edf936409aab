import { runFromCommandLine } from "./commandLine.js";
import { runPartitions } from "./runPartitions.js";

await runFromCommandLine(["calls", "repeats", "sales"], (options, read) =>
  runPartitions({
    ...options,
    calls: read("calls", 1_000_000),
    repeats: read("repeats", 200),
    sales: read("sales", 20_000),
  }),
);
