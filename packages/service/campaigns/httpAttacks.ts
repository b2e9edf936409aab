import { runFromCommandLine } from "./commandLine.js";
import { runHttpAttacks } from "./runHttpAttacks.js";

await runFromCommandLine(["seconds", "connections", "rounds"], (options, read) =>
  runHttpAttacks({
    ...options,
    seconds: read("seconds", 12),
    connections: read("connections", 500),
    rounds: read("rounds", 4),
  }),
);
