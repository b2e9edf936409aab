import { runFromCommandLine } from "./commandLine.js";
import { runHttpAttacks } from "./runHttpAttacks.js";

await runFromCommandLine(["seconds", "connections", "rounds"], (options, read) =>
  runHttpAttacks({
    ...options,
    seconds: read("seconds", 15),
    connections: read("connections", 1_000),
    rounds: read("rounds", 2),
  }),
);
