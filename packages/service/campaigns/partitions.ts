import { runFromCommandLine } from "./commandLine.js";
import { runPartitions } from "./runPartitions.js";

await runFromCommandLine(["calls", "repeats"], (options, read) =>
  runPartitions({ ...options, calls: read("calls", 1_000_000), repeats: read("repeats", 200) }),
);
