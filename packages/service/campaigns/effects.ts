import { join } from "node:path";
import { runFromCommandLine } from "./commandLine.js";
import { runEffects } from "./runEffects.js";

await runFromCommandLine(["rounds"], (options, read) =>
  runEffects({
    ...options,
    rounds: read("rounds", 2_000),
    folder: join(process.cwd(), "bench/accuracy"),
    packaged: true,
  }),
);
