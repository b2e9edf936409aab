import { runFromCommandLine } from "./commandLine.js";
import { runGrowth } from "./runGrowth.js";

await runFromCommandLine(["hits"], (options, read) => runGrowth({ ...options, hits: read("hits", 2_000) }));
